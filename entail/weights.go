package entail

// weightsSHA256 is the hash of weights/model.bin, in hex. It is written down apart from the file, so that weights that
// were damaged on their way are not run.
const weightsSHA256 = "64e961258f226014c0e19165cabc0f1aa81e86e69da2760d9a7fbf132e31dd53"
