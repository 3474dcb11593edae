"""The window: Qt only, no arithmetic on pixels."""
