package entail

// weightsSHA256 is the hash of weights/model.bin, in hex. It is written down apart from the file, so that weights that
// were damaged on their way are not run.
const weightsSHA256 = "031f45ab4b885671a254ba7f356697f9fca9618b83ddc8ec4439d588198cf045"
