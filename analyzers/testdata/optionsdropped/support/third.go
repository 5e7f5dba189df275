package support

// Name is not about tests.
const Name = "support"
