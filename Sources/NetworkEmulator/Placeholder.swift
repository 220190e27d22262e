// Holds the module's place until its first file.
