package entail

// weightsSHA256 is the hash of weights/model.bin, in hex. It is written down apart from the file, so that weights that
// were damaged on their way are not run.
const weightsSHA256 = "f97b1b21132e6b393db49a5280d1d19aed9ca65fc4b6c05dc440cdecb467b7e5"
