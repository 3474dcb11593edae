"""The tables and figures of the paper, each by one command: ``python -m training.experiments NAME …``.

Every experiment is a module or an object with `add_arguments` and `run`, listed in `training.experiments.__main__`. It
prints Markdown, and writes it with its figures as PNG, side by side with what was published.
"""
