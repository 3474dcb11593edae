"""The pages and the order: choosing, dragging and turning shreds."""
