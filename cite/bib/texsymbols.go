package bib

// combining gives the mark that an accent command sets on the letter after it.
var combining = map[string]rune{
	"`": '\u0300', "'": '\u0301', "^": '\u0302', "~": '\u0303', "=": '\u0304', "u": '\u0306', ".": '\u0307', `"`: '\u0308',
	"r": '\u030a', "H": '\u030b', "v": '\u030c', "d": '\u0323', "c": '\u0327', "k": '\u0328', "b": '\u0331', "G": '\u030f', "U": '\u030e', "t": '\u0361',
	"h": '\u0309', "f": '\u0311', "C": '\u030f', "textcommabelow": '\u0326',
}

// symbols are commands that stand for characters, in text and in maths.
var symbols = map[string]string{
	// Letters.
	"ss": "ß", "SS": "SS", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł",
	"i": "ı", "j": "ȷ", "textdotlessi": "ı", "textdotlessj": "ȷ", "ij": "ij", "IJ": "IJ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ",
	// Punctuation.
	"textendash": "–", "textemdash": "—", "textquoteleft": "‘", "textquoteright": "’", "textquotedblleft": "“", "textquotedblright": "”",
	"textquotesingle": "'", "textquotedbl": `"`, "quotesinglbase": "‚", "quotedblbase": "„", "guillemotleft": "«", "guillemotright": "»",
	"guillemetleft": "«", "guillemetright": "»", "guilsinglleft": "‹", "guilsinglright": "›", "glqq": "„", "grqq": "“", "flqq": "«", "frqq": "»",
	"textexclamdown": "¡", "textquestiondown": "¿", "ldots": "…", "dots": "…", "textellipsis": "…", "textbullet": "•", "textperiodcentered": "·",
	"lq": "‘", "rq": "’", "slash": "/", "mathsemicolon": "; ", "textvisiblespace": "␣", "hyphen": "-",
	// Signs.
	"textbackslash": `\`, "textbraceleft": "{", "textbraceright": "}", "textasciitilde": "~", "textasciigrave": "`", "textasciicircum": "^", "textless": "<", "textgreater": ">",
	"textbar": "|", "textunderscore": "_", "textdollar": "$", "textsterling": "£", "pounds": "£", "texteuro": "€", "euro": "€", "textyen": "¥", "textcent": "¢",
	"S": "§", "textsection": "§", "P": "¶", "textparagraph": "¶", "copyright": "©", "textcopyright": "©", "textregistered": "®", "texttrademark": "™",
	"textdegree": "°", "degree": "°", "textmu": "µ", "micro": "µ", "textonehalf": "½", "textonequarter": "¼", "textthreequarters": "¾", "textpm": "±", "texttimes": "×", "textdiv": "÷",
	"textordmasculine": "º", "textordfeminine": "ª", "dag": "†", "ddag": "‡", "textdagger": "†", "textdaggerdbl": "‡", "textasteriskcentered": "∗", "textperthousand": "‰",
	"textonesuperior": "¹", "texttwosuperior": "²", "textthreesuperior": "³", "textcelsius": "℃", "textohm": "Ω", "checkmark": "✓", "textnumero": "№", "lbrack": "[", "rbrack": "]",
	"TeX": "TeX", "LaTeX": "LaTeX", "LaTeXe": "LaTeX2e", "BibTeX": "BibTeX", "newline": " ", "linebreak": " ", "quad": " ", "qquad": " ", "space": " ", "nobreakspace": "\u00a0",
	// Commands that show nothing.
	"relax": "", "protect": "", "noindent": "", "allowbreak": "", "nobreak": "", "sloppy": "", "null": "", "bibrangedash": "–", "addspace": " ", "addcomma": ",", "adddot": ".",
	// Greek.
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ",
	"lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "varpi": "ϖ", "rho": "ρ", "varrho": "ϱ", "sigma": "σ", "varsigma": "ς", "tau": "τ", "upsilon": "υ", "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
	"Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
	"textalpha": "α", "textbeta": "β", "textgamma": "γ", "textdelta": "δ",
	// Maths.
	"times": "×", "div": "÷", "pm": "±", "mp": "∓", "cdot": "·", "cdots": "⋯", "ast": "∗", "star": "⋆", "circ": "∘", "bullet": "•", "oplus": "⊕", "otimes": "⊗",
	"le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "neq": "≠", "ne": "≠", "ll": "≪", "gg": "≫", "sim": "∼", "simeq": "≃", "approx": "≈", "equiv": "≡", "propto": "∝", "cong": "≅",
	"leqslant": "⩽", "geqslant": "⩾", "lesssim": "≲", "gtrsim": "≳",
	"infty": "∞", "partial": "∂", "nabla": "∇", "sum": "∑", "prod": "∏", "int": "∫", "in": "∈", "notin": "∉", "ni": "∋", "subset": "⊂", "supset": "⊃", "subseteq": "⊆", "supseteq": "⊇",
	"cup": "∪", "cap": "∩", "emptyset": "∅", "forall": "∀", "exists": "∃", "neg": "¬", "land": "∧", "lor": "∨", "wedge": "∧", "vee": "∨", "angle": "∠", "perp": "⊥", "parallel": "∥", "mid": "∣",
	"to": "→", "rightarrow": "→", "leftarrow": "←", "leftrightarrow": "↔", "Rightarrow": "⇒", "Leftarrow": "⇐", "Leftrightarrow": "⇔", "uparrow": "↑", "downarrow": "↓", "mapsto": "↦", "longrightarrow": "⟶",
	"ell": "ℓ", "hbar": "ℏ", "Re": "ℜ", "Im": "ℑ", "aleph": "ℵ", "prime": "′", "langle": "⟨", "rangle": "⟩", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "square": "□", "triangle": "△",
	"log": "log", "ln": "ln", "sin": "sin", "cos": "cos", "tan": "tan", "exp": "exp", "min": "min", "max": "max", "lim": "lim", "sup": "sup", "inf": "inf", "det": "det", "dim": "dim", "ker": "ker", "mod": "mod",
}

// fonts are commands that mark what stands in the braces after them.
var fonts = map[string]kind{
	"textit": italic, "emph": italic, "mkbibemph": italic, "mkbibitalic": italic, "textsl": italic, "mathit": italic,
	"textbf": bold, "mkbibbold": bold, "mathbf": bold, "textsc": smallCaps, "textsuperscript": sup, "mkbibsuperscript": sup, "textsubscript": sub, "mkbibsubscript": sub,
}

// switches are commands that mark the rest of the braces they stand in.
var switches = map[string]kind{
	"it": italic, "em": italic, "sl": italic, "itshape": italic, "slshape": italic, "bf": bold, "bfseries": bold, "sc": smallCaps, "scshape": smallCaps,
}

// wrappers are commands of which only the argument is shown.
var wrappers = map[string]bool{
	"textrm": true, "textsf": true, "texttt": true, "textup": true, "textmd": true, "textnormal": true, "text": true, "mbox": true, "hbox": true,
	"mathrm": true, "mathsf": true, "mathtt": true, "mathcal": true, "mathbb": true, "mathscr": true, "mathfrak": true, "operatorname": true, "uppercase": true, "MakeUppercase": true,
	"bibstring": true, "foreignphrase": true, "underline": true, "NoCaseChange": true, "bibinfo": true, "natexlab": true, "rm": true, "tt": true, "sf": true, "rmfamily": true, "sffamily": true, "ttfamily": true, "normalfont": true, "upshape": true,
}

// silent are commands whose argument is not shown either.
var silent = map[string]bool{"noopsort": true, "hspace": true, "vspace": true, "label": true, "phantom": true, "vphantom": true, "hphantom": true, "color": true, "footnotemark": true, "textcolor": true}
