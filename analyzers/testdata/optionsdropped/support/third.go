package support

// Name is not for tests.
const Name = "support"
