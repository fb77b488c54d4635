package ingest_test

import (
	"testing"

	"github.com/ibid-dev/ibid/ingest"
)

func TestTables(t *testing.T) {
	for _, tt := range []struct{ rule, name, in, kind, text string }{
		{"each cell carries the name of its column", "a.csv", "name,office\nAda Weiss,Berlin\n\"Ohm, Carl\",Hamburg\n", ingest.CSV, "name: Ada Weiss | office: Berlin\n\nname: Ohm, Carl | office: Hamburg"},
		{"other signs between the cells", "a.csv", "Ware;Preis\nMutter;0,08\n", ingest.CSV, "Ware: Mutter | Preis: 0,08"},
		{"tabs", "a.tsv", "x\ty\nu\tv w\n", ingest.CSV, "x: u | y: v w"},
		{"a first row of values names nothing", "a.csv", "1858,732\n1866,2000\n", ingest.CSV, "1858 | 732\n\n1866 | 2000"},
		{"years are names", "a.csv", "Region,2019,2020,2021\nNorth,1,2,3\n", ingest.CSV, "Region: North | 2019: 1 | 2020: 2 | 2021: 3"},
		{"years that do not follow each other are values", "a.csv", "Ann,1858,1999,1866\nBob,1,2,3\n", ingest.CSV, "Ann | 1858 | 1999 | 1866\n\nBob | 1 | 2 | 3"},
		{"a first column without a name", "a.csv", ",2019,2020\nNorth,1,2\n", ingest.CSV, "North | 2019: 1 | 2020: 2"},
		{"empty cells are left out", "a.csv", "a,b,c\n1,,3\n,,\n4,5,6\n", ingest.CSV, "a: 1 | c: 3\n\na: 4 | b: 5 | c: 6"},
		{"names in two rows", "a.csv", "Ship,1858,,1866,\n,Miles,Cost,Miles,Cost\nAgamemnon,12,4,15,5\nNiagara,13,,16,\"6,5\"\n", ingest.CSV,
			"Ship: Agamemnon | 1858, Miles: 12 | 1858, Cost: 4 | 1866, Miles: 15 | 1866, Cost: 5\n\nShip: Niagara | 1858, Miles: 13 | 1866, Miles: 16 | 1866, Cost: 6,5"},
		{"names in two rows, the first column's in the second", "a.tsv", "\tNorth\t\tSouth\t\nTown\tMen\tWomen\tMen\tWomen\nKiel\t1\t2 %\t\t-4\n", ingest.CSV, "Town: Kiel | North, Men: 1 | North, Women: 2 % | South, Women: -4"},
		{"names in two rows, all below groups", "a.csv", "sep=;\n1858;;1866;\nMiles;Cost;Miles;Cost\n12;4;15;5\n", ingest.CSV, "1858, Miles: 12 | 1858, Cost: 4 | 1866, Miles: 15 | 1866, Cost: 5"},
		{"a row of units is no second row of names", "a.csv", "Day,Heat,Rain\n,C,mm\n1 May,12,4\n", ingest.CSV, "Heat: C | Rain: mm\n\nDay: 1 May | Heat: 12 | Rain: 4"},
		{"rows of words are none", "a.csv", "Ann,,came,left\nBob,came,came,left\nCarl,3,came,left\n", ingest.CSV, "Ann |  | came | left\n\nBob | came | came | left\n\nCarl | 3 | came | left"},
		{"nor are rows above words", "a.csv", "Ship,Year,,Note\n,laid,lost,\nNiagara,in June,never,whole\n", ingest.CSV, "Ship | Year |  | Note\n\n| laid | lost |\n\nNiagara | in June | never | whole"},
		{"nor are rows of values", "a.csv", "Kiel,12,,13\n,14,15,14\nBonn,1,2,3\n", ingest.CSV, "Kiel | 12 |  | 13\n\n| 14 | 15 | 14\n\nBonn | 1 | 2 | 3"},
		{"nor are rows above nothing", "a.csv", "Ship,1858,,1866,\n,Miles,Cost,Miles,Cost\nNiagara,,,,\nAgamemnon,1,2,3,4\n", ingest.CSV, "Ship | 1858 |  | 1866 |\n\n| Miles | Cost | Miles | Cost\n\nNiagara |  |  |  |\n\nAgamemnon | 1 | 2 | 3 | 4"},
		{"nor are two rows with nothing below", "a.csv", "Ship,1858,,1866,\n,Miles,Cost,Miles,Cost\n", ingest.CSV, "Ship | 1858 |  | 1866 |\n\n| Miles | Cost | Miles | Cost"},
		{"nor where a column has a name in neither", "a.csv", "Ship,1858,,\n,Miles,Cost,\nNiagara,12,4,5\n", ingest.CSV, "Ship | 1858 |  |\n\n| Miles | Cost |\n\nNiagara | 12 | 4 | 5"},
		{"nor where two columns have the same", "a.csv", "Ship,1858,,\n,Miles,Miles,Cost\nNiagara,12,4,5\n", ingest.CSV, "Ship | 1858 |  |\n\n| Miles | Miles | Cost\n\nNiagara | 12 | 4 | 5"},
		{"nor where no group stands over several columns", "a.csv", "Ship,,1866\n,Miles,Cost\nNiagara,12,4\n", ingest.CSV, "Ship |  | 1866\n\n| Miles | Cost\n\nNiagara | 12 | 4"},
		{"names of columns alone", "a.csv", "a,b\n", ingest.PlainText, "a,b"},
		{"a line break within a cell", "a.csv", "a,b\n\"one\ntwo\",3\n4,5\n", ingest.CSV, "a: one two | b: 3\n\na: 4 | b: 5"},
		{"rows of other lengths", "a.csv", "a,b\n1,2\n3,4\n5,6\n7,8\n9\n1,2,3\n", ingest.CSV, "a: 1 | b: 2\n\na: 3 | b: 4\n\na: 5 | b: 6\n\na: 7 | b: 8\n\na: 9\n\na: 1 | b: 2 | 3"},
		{"a quotation mark that is never closed", "a.csv", "a,b\n1,2\n3,4\n5,6\n7,8\n\"9,10\n11,12\n13,14\n", ingest.CSV, "a: 1 | b: 2\n\na: 3 | b: 4\n\na: 5 | b: 6\n\na: 7 | b: 8\n\na: 9 | b: 10\n\na: 11 | b: 12\n\na: 13 | b: 14"},
		{"two of them", "a.csv", "a,b\n1,2\n3,4\n5,6\n7,8\n9,\"10\n11,\"12\n13,14\n", ingest.CSV, "a: 1 | b: 2\n\na: 3 | b: 4\n\na: 5 | b: 6\n\na: 7 | b: 8\n\na: 9 | b: 10\n\na: 11 | b: 12\n\na: 13 | b: 14"},
		{"the sign that a spreadsheet names", "a.csv", "\ufeffsep=;\r\nWare;Preis\r\nMutter;0,08\r\n", ingest.CSV, "Ware: Mutter | Preis: 0,08"},
		{"a sign that is named and not there", "a.csv", "sep=;\na,b\n1,2\n", ingest.PlainText, "sep=;\na,b\n1,2"},
		{"a column of that name", "a.csv", "sep=no,b\n1,2\n", ingest.CSV, "sep=no: 1 | b: 2"},
		{"prose with commas is no table", "a.csv", "He came, he saw, he left.\nThen it rained, and so on, for days, it was said.\n", ingest.PlainText, "He came, he saw, he left.\nThen it rained, and so on, for days, it was said."},
		{"a table that is not named as one stays as it is", "a.txt", "a,b\n1,2\n", ingest.PlainText, "a,b\n1,2"},
	} {
		res := mustRead(t, []byte(tt.in), ingest.Hint{Name: tt.name})
		if res.MediaType != tt.kind || res.Text != tt.text {
			t.Errorf("%s: %s %q", tt.rule, res.MediaType, res.Text)
		}
		checkResult(t, res)
	}
}

func FuzzCSV(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "a;b\n\"x\ny\";2\n", "a\tb\n\t\n", "\"\n\",\n,", "\ufeffa,b\n\"", "a,b\na|b", "sep=;\na;b\n1;2\n", "sep=,", "s,t,,u,\n,m,c,m,c\nn,1,2,3,4\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { lawful(t, b, ingest.Hint{Name: "a.csv"}) })
}
