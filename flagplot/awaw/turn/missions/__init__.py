"""Who may fly what (18.3-18.5), how air is inverted by it, and bombing."""
