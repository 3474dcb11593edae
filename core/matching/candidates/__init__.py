"""The few joins of every border that are worth pricing exactly: found roughly among all, with their products."""
