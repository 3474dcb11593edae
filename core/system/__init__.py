"""The machine: its folders, files, processes, log and libraries; it knows nothing of paper."""
