// No tests: a program whose precompiled headers the others use.
