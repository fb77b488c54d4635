package web

// SetRedirect tells the server its own address, which a test knows only when it listens.
func SetRedirect(s *Server, url string) { s.signin.RedirectURL = url }
