// Holds the place of the first test file.
