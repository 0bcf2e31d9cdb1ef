package desk

// SignOut signs a person out, if signed in here.
func (d *Desk) SignOut(id string) { d.signOut(id) }

// ShowPage makes a page the one the window shows.
func (d *Desk) ShowPage(page string) { d.route.Store(&page) }
