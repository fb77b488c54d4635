package entail

// weightsSHA256 is the hash of weights/model.bin, in hex. It is written down apart from the file, so that weights that
// were damaged on their way are not run.
const weightsSHA256 = "a47112e0bdf1afcc03106d7b335ebce1879c7951bc82a52e57b21d0194e5a47c"
