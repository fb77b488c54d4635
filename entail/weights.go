package entail

// weightsSHA256 is the hash of weights/model.bin, in hex. It is written down apart from the file, so that weights that
// were damaged on their way are not run.
const weightsSHA256 = "8ead6b10637f80e9fc7d623e751fa8e59762942ca7c68430bddca6d37f662763"
