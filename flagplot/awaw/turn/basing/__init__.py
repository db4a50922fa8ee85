"""Where air units are based (18.1, 18.2): airbases, room, staging, displacement, redeployment."""
