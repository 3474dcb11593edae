"""What makes a case stand up as evidence: history, notes, examiner, verification, export."""
