package entail

// weightsSHA256 is the hash of weights/model.bin, in hex. It is written down apart from the file, so that weights that
// were damaged on their way are not run.
const weightsSHA256 = "33f8cf9633af80a1dc47ca0fd413de7ee67c3d21a451f5ea15b90a438d94f6c6"
