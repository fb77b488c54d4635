package entail

// weightsSHA256 is the hash of weights/model.bin, in hex. It is written down apart from the file, so that weights that
// were damaged on their way are not run.
const weightsSHA256 = "5009365d5e70580b3ca3d06b898386f8ed263fe64d54cbd1131a5ed4b0e34564"
