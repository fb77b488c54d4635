package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ibid-dev/ibid/ingest"
)

const removal = `From: =?utf-8?Q?Ada_Wei=C3=9F?= <ada@example.org>
To: carl@example.org
Subject: =?utf-8?B?VW16dWcgZGVzIELDvHJvcw==?=
Date: Tue, 3 Sep 2024 23:30:00 +0200
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="out"

--out
Content-Type: multipart/alternative; boundary="in"

--in
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

The office moves to Torstra=C3=9Fe 12 on 1 October. The keys are handed o=
ut on 27 September.
--in
Content-Type: text/html; charset=utf-8

<p>The office moves.</p>
--in--
--out
Content-Type: application/pdf; name="plan.pdf"
Content-Transfer-Encoding: base64

JVBERi0=
--out--
`

func mustRead(t *testing.T, b []byte, h ingest.Hint) ingest.Result {
	t.Helper()
	res, err := ingest.Read(t.Context(), b, h)
	if err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	return res
}

func TestMail(t *testing.T) {
	for _, tt := range []struct{ rule, message, has, hasNot string }{
		{"the words come out of their wrapping", removal, "The office moves to Torstraße 12 on 1 October. The keys are handed out on 27 September.", "=C3"},
		{"of two forms of one text one is read", removal, "Umzug des Büros\n\nFrom: Ada Weiß <ada@example.org>\nTo: carl@example.org\nDate: Tue, 3 Sep 2024 23:30:00 +0200\n\nThe office", "The office moves.\n"},
		{"HTML where there is nothing else", "From: a@b.c\nMessage-ID: <1>\nContent-Type: text/html; charset=iso-8859-1\n\n<html><body><p>Gr\xfc\xdfe <b>aus</b> K\xf6ln</p></body></html>", "Grüße aus Köln", "<p>"},
		{"base64", "From: a@b.c\nMIME-Version: 1.0\nContent-Transfer-Encoding: base64\n\nVGhlIHJhdGUg\naXMgNC4yNSBwZXJjZW50Lg==\n", "The rate is 4.25 percent.", "VGhl"},
		{"a message without its end", strings.TrimSuffix(removal, "--out--\n"), "Torstraße 12", "=C3"},
		{"a message in a message", "From: a@b.c\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nSee below.\n--x\nContent-Type: message/rfc822\n\nFrom: d@e.f\nSubject: Inner\n\nThe inner words.\n--x--\n", "See below.\n\nInner\n\nFrom: d@e.f\n\nThe inner words.", "--x"},
		{"a message that is attached", "From: a@b.c\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nSee below.\n--x\nContent-Type: message/rfc822\nContent-Disposition: attachment\n\nFrom: d@e.f\nSubject: Inner\n\nThe inner words.\n--x--\n", "See below.\n\nInner\n\nFrom: d@e.f\n\nThe inner words.", "Content"},
		{"lines that the sender's program broke", "From: a@b.c\nMIME-Version: 1.0\nContent-Type: text/plain; format=flowed\n\nThe cable was \nlaid in \r\n1858.\nThe end.\n\n> It was \n> quoted.\n>> Twice.\n -not stuffed\n-- \nAda\n", "The cable was laid in 1858.\nThe end.\n\n> It was quoted.\n>> Twice.\n-not stuffed\n--\nAda", "was \n"},
		{"and those of scripts without blanks", "From: a@b.c\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\n\n海底 \n電線\n", "海底電線", "底 "},
		{"what is quoted stays", "From: a@b.c\nMessage-ID: <1>\n\nYes.\n\n> Is it so?\n", "Yes.\n\n> Is it so?", "Message-ID"},
	} {
		res := mustRead(t, []byte(tt.message), ingest.Hint{Name: "mail.eml"})
		if res.MediaType != ingest.Mail || !strings.Contains(res.Text, tt.has) || strings.Contains(res.Text, tt.hasNot) {
			t.Errorf("%s: %s\n%s", tt.rule, res.MediaType, res.Text)
		}
		checkResult(t, res)
	}
	res := mustRead(t, []byte(removal), ingest.Hint{})
	if r := res.Reference; r.Type != "personal_communication" || r.Title() != "Umzug des Büros" || r.Year() != 2024 || len(r.Names["author"]) != 1 || r.Names["author"][0].Family != "Weiß" {
		t.Errorf("%+v", r)
	}
	if got := strings.Join(res.Warnings, "; "); got != "left out what is attached: plan.pdf" {
		t.Errorf("warnings: %s", got)
	}
}

// What of a message is not read is said.
func TestMailSaysWhatItLeavesOut(t *testing.T) {
	deep := ""
	for i := range 12 {
		deep += fmt.Sprintf("Content-Type: multipart/mixed; boundary=b%d.\n\n--b%d.\n", i, i)
	}
	const head = "From: a@b.c\nMIME-Version: 1.0\n"
	parts := head + "Content-Type: multipart/mixed; boundary=x\n\n"
	for _, tt := range []struct{ rule, message, has, warns string }{
		{"what lies too deep", head + deep + "\nThe words.\n", "", "left out parts that lie deeper than 8"},
		{"too many parts", parts + strings.Repeat("--x\n\nWord.\n", 1500) + "--x--\n", "Word.", "or are more than 1000"},
		{"what comes behind what lies too deep", parts + "--x\n" + deep + "\nThe words.\n--x\n\nBehind it.\n--x--\n", "Behind it.", "left out parts that lie deeper than 8"},
		{"a message that is packed", parts + "--x\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nRnJvbTogZEBlLmYKU3ViamVjdDogSW5uZXIKClRoZSBpbm5lciB3b3Jkcy4K\n--x--\n", "The inner words.", ""},
		{"a message without fields", parts + "--x\nContent-Type: message/rfc822\n\nno field\n--x\n\nSeen.\n--x--\n", "Seen.", "a message within the message cannot be read"},
		{"text alone", head + "Content-Type: text\n\nThe words.\n", "The words.", ""},
	} {
		res := mustRead(t, []byte(tt.message), ingest.Hint{Name: "mail.eml"})
		if got := strings.Join(res.Warnings, "; "); !strings.Contains(res.Text, tt.has) || !strings.Contains(got, tt.warns) || tt.warns == "" && got != "" {
			t.Errorf("%s: warned %q, read %.200s", tt.rule, got, res.Text)
		}
	}
}

// Mail of before MIME, and drafts, have few fields: the name of the file tells the rest.
func TestFilesThatAreNamedAsMailAre(t *testing.T) {
	for _, s := range []string{
		"From: Ada <a@b.c>\r\nDate: Mon, 2 Jan 2006 15:04:05 +0000\r\nSubject: Leave\r\n\r\nLeave is 25 days.\r\n",
		"To: d@e.f\nSubject: Leave\n\nLeave is 25 days.\n",
		"Subject: Leave\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nLeave is=20\n25 days.\n",
	} {
		res := mustRead(t, []byte(s), ingest.Hint{Name: "mail.eml"})
		if res.MediaType != ingest.Mail || !strings.HasPrefix(res.Text, "Leave\n\n") || !strings.HasSuffix(strings.Join(strings.Fields(res.Text), " "), " Leave is 25 days.") {
			t.Errorf("%s %q", res.MediaType, res.Text)
		}
	}
	for _, s := range []string{"Leave is 25 days.", "Note: 25 days\nTo: all\n\nText."} {
		if res := mustRead(t, []byte(s), ingest.Hint{Name: "mail.eml"}); res.MediaType == ingest.Mail {
			t.Errorf("%q is taken for mail", s)
		}
	}
}

func TestAMemoIsNoMail(t *testing.T) {
	for _, s := range []string{
		"From: the board\nTo: all staff\nSubject: Leave\n\nLeave is 25 days.",
		"Message-ID: what is it?\n\nA field of mail.",
		"From: a@b.c\nnot a field\nMessage-ID: <1>\n\nText.",
	} {
		if res := mustRead(t, []byte(s), ingest.Hint{}); res.MediaType != ingest.PlainText || res.Text != s {
			t.Errorf("%s\n%s", res.MediaType, res.Text)
		}
	}
}

func FuzzMail(f *testing.F) {
	f.Add([]byte(removal))
	for _, s := range []string{
		"Content-Type: multipart/mixed; boundary=x\n\n--x\n\na\n--x\nContent-Type: message/rfc822\n\nFrom: a\n\nb\n--x--",
		"Content-Transfer-Encoding: base64\n\nYQ=", "Content-Type: text/plain; charset=utf-16\n\na", "Subject: =?x?Q?a?=\nDate: y\n\nb", "Content-Type: ;;;\n\na", "Content-Type: text/plain; format=flowed; delsp=yes\n\n> a \n>  b \n\n \n-- \nc ",
	} {
		f.Add([]byte("From: a@b.c\nMIME-Version: 1.0\n" + s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { lawful(t, b, ingest.Hint{Name: "a.eml"}) })
}
