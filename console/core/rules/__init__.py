"""The rules of a run, one small piece each."""
