package attribute

// synonyms gives for a normal form the forms that may stand for it.
var synonyms = map[string][]string{}
