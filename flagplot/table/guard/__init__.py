"""What keeps the server safe from visitors: names, addresses, rates, quotas, uploads, open pages, headers."""
