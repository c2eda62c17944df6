"""Programs in a small Lisp: their language, their limits and the signatures of what they take and give."""
