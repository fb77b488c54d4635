package attribute

import "testing"

// TestCertainties: what may be so is not sure to be so, and what becomes less does not end. What leaves out such a word, hedges in another way or is said for sure in
// another place is left alone.
func TestCertainties(t *testing.T) {
	const fish = "Salmon is rich in fats. Eating fish twice a week may lower the risk of heart disease."
	const spay = "Most vets advise it. Spaying before the first heat greatly reduces the risk of mammary cancer."
	for _, c := range []beside{
		{"Eating fish twice a week will lower the risk of heart disease.", fish, "exchange"},
		{"A strike will delay the ferries.", "A strike could also delay the ferries on Sunday.", "exchange"},
		{"Daily aspirin will cause stomach bleeding.", "Daily aspirin can cause stomach bleeding in some people.", "exchange"},
		{"Visitors will see the palace from the bridge.", "Visitors can see the palace from the bridge.", ""},
		{"Eating fish twice a week lowers the risk of heart disease.", fish, ""},
		{"Eating fish twice a week can lower the risk of heart disease.", fish, ""},
		{"Eating fish twice a week will probably lower the risk of heart disease.", fish, ""},
		{"It is possible that eating fish twice a week will lower the risk of heart disease.", fish, ""},
		{"Eating fish twice a week will lower the risk of heart disease.", fish + " It will lower blood pressure.", ""},
		{"Eating beans will raise the level of iron.", fish, ""},
		{"The ferries will stop at noon.", "The ferries may be late, and they will stop at noon.", ""},

		{"Spaying before the first heat eliminates the risk of mammary cancer.", spay, "exchange"},
		{"Spaying before the first heat lowers the risk of mammary cancer.", spay, ""},
		{"Spaying before the first heat nearly eliminates the risk of mammary cancer.", spay, ""},
		{"Spaying before the first heat does not eliminate the risk of mammary cancer.", spay, ""},
		{"Spaying eliminates the risk of mammary cancer.", spay + " Early spaying eliminates the risk of it.", ""},
	} {
		c.check(t)
	}
}

// TestOptions: what is required is not optional, and of several that stand side by side none is the only one.
func TestOptions(t *testing.T) {
	const register = "You can register online, by mail or in person. A state ID number is required to register online."
	const course = "The safety course is optional. Booking ahead is required."
	for _, c := range []beside{
		{"A state ID number is optional for registering online.", register, "exchange"},
		{"The safety course is mandatory.", course, "exchange"},
		{"The safety course is not optional.", course, "negation"},
		{"A state ID number is mandatory for registering online.", register, ""},
		{"The safety course is not required.", course, ""},
		{"The safety course is voluntary.", course, ""},
		{"An optional course is offered to those who book.", course, ""},
		{"Insurance is optional.", "Insurance is required for drivers under 25 if they rent a van.", ""},

		{"Registration is only possible in person.", register, "quantifier"},
		{"Payment is accepted only in cash.", "Payment is accepted by card or cash.", "quantifier"},
		{"Frozen yogurt can only be used in smoothies.", "Frozen yogurt is best used in smoothies or baking.", "quantifier"},
		{"The firm only installs cedar fences.", "The firm installs cedar and pine fences.", "quantifier"},
		{"Bob only wanted to buy some candy.", "Bob went out to buy some candy and put it on the table.", ""},
		{"The firm only installs fences.", "The firm installs cedar and pine fences.", ""},
		{"Registration is possible in person.", register, ""},
		{"Registration is not only possible in person.", register, ""},
		{"You can register only online, by mail or in person.", register, ""},
		{"Payment is accepted only in cash.", "Payment is accepted in cash only, and tips are shared by cooks and waiters.", ""},
		{"The leaves are eaten only by goats.", "The leaves and roots are poisonous, and only goats eat the leaves.", ""},
		{"Only goats eat the leaves.", "Goats and sheep live there. Goats eat the leaves.", ""},
	} {
		c.check(t)
	}
}

// TestCompoundsSayByWhom: shelter-run clinics are clinics that are run by shelters.
func TestCompoundsSayByWhom(t *testing.T) {
	const clinics = "Low-cost clinics run by shelters charge a small fee. Dogs are welcome."
	for _, c := range []beside{
		{"Shelter-run low-cost clinics charge a small fee.", clinics, ""},
		{"Low-cost clinics that shelters run charge a small fee.", clinics, ""},
	} {
		c.check(t)
	}
}
