package attribute

import "testing"

// TestAddresses: an e-mail address or page that no source has is denied by the one that stands in its place; the same one in another form and the site of a
// page are not, nor is a link.
func TestAddresses(t *testing.T) {
	const (
		mail = "Appointments can be made at (215) 555-0154 or by e-mail to office@larkfield.org."
		page = "Apply online at https://www.larkfield.org/apply/ by 3 May."
	)
	for _, b := range []beside{
		{"You can email the clinic at info@larkfield.org.", mail, "exchange"},
		{"Appointments are made by e-mail to office@larkfeld.org.", mail, "exchange"},
		{"You can email the clinic at Office@Larkfield.org.", mail, ""},
		{"Apply online at www.larkfeld.org/apply by 3 May.", page, "exchange"},
		{"Apply online at larkfield.org/join.", page, "exchange"},
		{"Apply online at larkfield.org/apply.", page, ""},
		{"Apply online at http://larkfield.org.", page, ""},
		{"Apply online at larkfield.org/apply/now.", page, ""},
		{"Apply online by 3 May ([form](https://example.org/form)).", page, ""},
		{"Apply online at example.org/form by 3 May.", "Apply online by 3 May.", ""},
		{"Apply online at larkfield.org by 3 May.", "Apply online at apply.example.org by 3 May or by mail to office@larkfield.org.", ""},
	} {
		b.check(t)
	}
}
