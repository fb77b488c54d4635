package entail

// weightsSHA256 is the hash of weights/model.bin, in hex. It is written down apart from the file, so that weights that
// were damaged on their way are not run.
const weightsSHA256 = "7f84e6429b5428dde8547ca2321a7b074b6f7a02882e2dc10a666be8a075427b"
