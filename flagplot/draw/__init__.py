"""Pictures as SVG, for notebooks, reports and pages alike."""
