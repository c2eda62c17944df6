"""Tests of planners that call models."""
