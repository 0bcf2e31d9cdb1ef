package sample

import (
	"fmt"
	"strings"
	"time"

	"github.com/deskhand/deskhand/shop/internal/text"
)

// person is a customer as they would be written down: the first address, a
// second one if there is one, and how they pay, the usual way first.
type person struct {
	name, phone string
	home, work  string // label: line1; city; region; postal code; country
	pays        string
}

var people = []person{
	{"Ana Ruiz", "+1 207 555 0142", "Home: 123 Main St; Portland; ME; 04101; US", "Work: 48 Commercial St, Floor 3; Portland; ME; 04101; US", "Visa 4242, paypal"},
	{"Anaïs Lefèvre", "+33 1 99 00 12 34", "Home: 14 rue des Lilas; Lyon; ; 69003; FR", "", "Mastercard 8210"},
	{"Diana Prewitt", "+1 207 555 0117", "Home: 9 Juniper Ln; Brunswick; ME; 04011; US", "", "Visa 1881, paypal"},
	{"Marcus Adeyemi", "+1 617 555 0190", "Home: 77 Beacon St, Apt 4; Boston; MA; 02108; US", "Work: 200 State St; Boston; MA; 02109; US", "Amex 3005"},
	{"Sofía Herrera", "+1 212 555 0103", "Home: 310 W 83rd St; New York; NY; 10024; US", "", "Visa 0077, giftCard 3500"},
	{"Łukasz Nowak", "+48 22 555 01 22", "Home: ul. Polna 12; Warszawa; ; 00-625; PL", "", "paypal"},
	{"Zoë Vandenberg", "+32 2 555 01 31", "Home: Kerkstraat 8; Gent; ; 9000; BE", "", "Mastercard 6612, paypal"},
	{"Björn Ekström", "+46 8 555 010 44", "Home: Storgatan 21; Uppsala; ; 753 31; SE", "", "Visa 9034"},
	{"Þóra Jónsdóttir", "+354 555 0145", "Home: Laugavegur 40; Reykjavík; ; 101; IS", "", "Visa 2718"},
	{"Søren Møller", "+45 55 50 10 46", "Home: Nørregade 5; Odense; ; 5000; DK", "", "Mastercard 4471"},
	{"Chloé Tremblay", "+1 514 555 0147", "Home: 2210 rue Rachel; Montréal; QC; H2H 1R4; CA", "", "Visa 3390, paypal"},
	{"Hà Nguyễn", "+1 408 555 0148", "Home: 88 Tully Rd; San Jose; CA; 95111; US", "", "paypal"},
	{"José Ángel Ibáñez", "+34 91 555 01 49", "Home: Calle de la Palma 30; Madrid; ; 28004; ES", "", "Mastercard 5150"},
	{"Renée O'Connor", "+353 1 555 0150", "Home: 6 Harbour Row; Cork; ; T12 X8N6; IE", "", "Visa 6044"},
	{"Mehmet Yıldız", "+90 212 555 01 51", "Home: İstiklal Cd. 101; İstanbul; ; 34433; TR", "", "Visa 7812"},
	{"Ioana Țăranu", "+40 21 555 0152", "Home: Str. Florilor 3; Cluj-Napoca; ; 400001; RO", "", "Mastercard 2093"},
	{"Ελένη Παπαδάκη", "+30 21 0555 0153", "Home: Ερμού 18; Αθήνα; ; 105 63; GR", "", "paypal"},
	{"Дмитро Коваль", "+380 44 555 0154", "Home: вул. Садова 7; Львів; ; 79000; UA", "", "Visa 4408"},
	{"渡辺 健", "+81 3 5550 0155", "Home: 神南1-2-3; 渋谷区; 東京都; 150-0041; JP", "", "Visa 8155"},
	{"김서연", "+82 2 555 0156", "Home: 테헤란로 12; 강남구; 서울; 06236; KR", "", "Mastercard 1290"},
	{"Aroha Ngata", "+64 9 555 0157", "Home: 12 Ponsonby Rd; Auckland; ; 1011; NZ", "", "Visa 5521, paypal"},
	{"Priya Raghunathan", "+1 732 555 0158", "Home: 41 Oak Tree Rd; Edison; NJ; 08820; US", "Work: 5 Wood Ave S; Iselin; NJ; 08830; US", "Amex 1009, giftCard 5000"},
	{"Thandiwe Mokoena", "+27 11 555 0159", "Home: 3 Jan Smuts Ave; Johannesburg; ; 2193; ZA", "", "Visa 3777"},
	{"Beatriz Conceição", "+351 21 555 0160", "Home: Rua do Carmo 15; Lisboa; ; 1200-093; PT", "", "Mastercard 8832"},
	{"Noah Whitfield", "+1 207 555 0161", "Home: 55 Pleasant Ave; Portland; ME; 04103; US", "", "Visa 1414"},
	{"Grace Thibodeau", "+1 207 555 0162", "Home: 18 Lisbon St; Lewiston; ME; 04240; US", "", "Mastercard 9191, paypal"},
	{"Harbor View Café", "+1 207 555 0163", "Café: 2 Wharf St; Portland; ME; 04101; US", "Kitchen: 11 Fore St; Portland; ME; 04101; US", "onAccount, Visa 7000"},
	{"Bluebird Bakery", "+1 207 555 0164", "Shop: 140 Congress St; Portland; ME; 04101; US", "", "onAccount"},
	{"Old Mill Inn", "+1 802 555 0165", "Reception: 1 Mill Rd; Woodstock; VT; 05091; US", "", "onAccount, Amex 4100"},
	{"Casco Software LLC", "+1 207 555 0166", "Office: 400 Fore St, Suite 210; Portland; ME; 04101; US", "", "onAccount, Mastercard 2020"},
	{"Emma Kowalczyk", "+1 773 555 0167", "Home: 1530 N Damen Ave; Chicago; IL; 60622; US", "", "Visa 6606"},
	{"Liam Gallagher-Reyes", "+1 415 555 0168", "Home: 2401 Folsom St; San Francisco; CA; 94110; US", "", "paypal"},
	{"Fatima Al-Sayed", "+1 313 555 0169", "Home: 5201 Schaefer Rd; Dearborn; MI; 48126; US", "", "Visa 1122"},
	{"Kwame Boateng", "+1 404 555 0170", "Home: 675 Ponce De Leon Ave; Atlanta; GA; 30308; US", "", "Mastercard 3456"},
	{"Olivia Stenberg", "+1 612 555 0171", "Home: 2900 Lyndale Ave S; Minneapolis; MN; 55408; US", "", "Visa 8899, paypal"},
	{"Mateus Oliveira", "+55 11 5550 0172", "Home: Rua Augusta 900; São Paulo; SP; 01304-001; BR", "", "Mastercard 7171"},
	{"Isla MacLeod", "+44 131 555 0173", "Home: 22 Thistle St; Edinburgh; ; EH2 1EN; GB", "", "Visa 2255"},
	{"Rhys Llewellyn", "+44 29 5550 0174", "Home: 7 Castle Arcade; Cardiff; ; CF10 1BU; GB", "", "Mastercard 6363"},
	{"Giulia Ferraro", "+39 06 555 0175", "Home: Via dei Serpenti 44; Roma; ; 00184; IT", "", "paypal"},
	{"Jürgen Weiß", "+49 30 555 0176", "Home: Kastanienallee 80; Berlin; ; 10435; DE", "", "Visa 1717"},
	{"Käthe Schäfer", "+49 40 555 0177", "Home: Schanzenstraße 9; Hamburg; ; 20357; DE", "", "paypal"},
	{"Vít Dvořák", "+420 2 5550 0178", "Home: Vinohradská 60; Praha; ; 120 00; CZ", "", "Visa 4949"},
	{"Zsófia Szűcs", "+36 1 555 0179", "Home: Ráday u. 17; Budapest; ; 1092; HU", "", "Mastercard 5858"},
	{"Maja Žagar", "+386 1 555 0180", "Home: Trubarjeva 25; Ljubljana; ; 1000; SI", "", "Visa 8282"},
	{"Eero Hämäläinen", "+358 9 555 0181", "Home: Fredrikinkatu 33; Helsinki; ; 00120; FI", "", "Mastercard 3131"},
	{"Ingrid Åsheim", "+47 55 50 01 82", "Home: Skostredet 4; Bergen; ; 5017; NO", "", "Visa 6767"},
	{"Yara Haddad", "+961 1 555 183", "Home: Gouraud St 55; Beirut; ; 1100; LB", "", "Visa 9797"},
	{"Tariq Mahmood", "+1 713 555 0184", "Home: 6100 Hillcroft St; Houston; TX; 77081; US", "", "Mastercard 1515"},
	{"Maya Goldfarb", "+1 718 555 0185", "Home: 287 Court St; Brooklyn; NY; 11231; US", "Work: 55 Water St; Brooklyn; NY; 11201; US", "Amex 2626, paypal"},
	{"Ethan Caldwell", "+1 603 555 0186", "Home: 30 Market St; Portsmouth; NH; 03801; US", "", "Visa 5353"},
	{"Charlotte Dubois", "+1 504 555 0187", "Home: 820 Royal St; New Orleans; LA; 70116; US", "", "Mastercard 4646"},
	{"Xiuying Zhang", "+1 626 555 0188", "Home: 140 W Valley Blvd; San Gabriel; CA; 91776; US", "", "Visa 7575"},
	{"Omar Benali", "+212 522 55 01 89", "Home: 12 rue Tahar Sebti; Casablanca; ; 20250; MA", "", "paypal"},
	{"Siobhán Ní Bhriain", "+353 91 555 191", "Home: 3 Quay St; Galway; ; H91 K2X4; IE", "", "Visa 3838"},
	{"Rafael Quiñones", "+1 787 555 0192", "Home: 250 Calle Fortaleza; San Juan; PR; 00901; US", "", "Mastercard 6969"},
	{"Hannah Lindgren", "+1 206 555 0193", "Home: 5300 Ballard Ave NW; Seattle; WA; 98107; US", "", "Visa 1616, giftCard 1250"},
	{"Dwayne Carter", "+1 215 555 0194", "Home: 1700 Frankford Ave; Philadelphia; PA; 19125; US", "", "Visa 2929"},
	{"Leilani Kahale", "+1 808 555 0195", "Home: 1102 12th Ave; Honolulu; HI; 96816; US", "", "paypal"},
	{"Samuel Begay", "+1 505 555 0196", "Home: 214 Galisteo St; Santa Fe; NM; 87501; US", "", "Mastercard 8484"},
	{"Nadia Petrova", "+1 718 555 0197", "Home: 3050 Brighton 6th St; Brooklyn; NY; 11235; US", "", "Visa 5050"},
	{"Peter van der Meer", "+31 20 555 0198", "Home: Prinsengracht 402; Amsterdam; ; 1016 JB; NL", "", "paypal, Visa 3535"},
	{"Camille Rousseau", "+33 4 99 00 01 99", "Home: 5 place Castellane; Marseille; ; 13006; FR", "", "Visa 7474"},
	{"Wanjiru Kamau", "+254 20 555 0100", "Home: Ngong Rd 118; Nairobi; ; 00505; KE", "", "Mastercard 9292"},
	{"Rosa Delgado", "+1 915 555 0101", "Home: 500 N Oregon St; El Paso; TX; 79901; US", "", "Visa 4545"},
	{"Theo Nakamura", "+1 503 555 0102", "Home: 1825 SE Division St; Portland; OR; 97202; US", "", "Visa 6161, paypal"},
	{"Abigail Frost", "+1 207 555 0104", "Home: 12 Elm St; Camden; ME; 04843; US", "", "Mastercard 2323"},
	{"Joseph Sockalexis", "+1 207 555 0105", "Home: 27 River Rd; Old Town; ME; 04468; US", "", "Visa 8080"},
	{"Lucía Fernández Rojas", "+56 2 5550 0106", "Home: Av. Italia 1240; Santiago; ; 7500000; CL", "", "Visa 1010"},
	{"Dawit Tesfaye", "+1 202 555 0107", "Home: 1920 9th St NW; Washington; DC; 20001; US", "", "Mastercard 3737"},
	{"Pier 7 Coworking", "+1 207 555 0108", "Front desk: 7 Custom House Wharf; Portland; ME; 04101; US", "", "onAccount"},
	{"Agnès Martínez", "+376 555 109", "Home: Av. Meritxell 60; Andorra la Vella; ; AD500; AD", "", "Visa 5757"},
	{"Florence Achterberg", "+1 518 555 0110", "Home: 64 Beekman St; Saratoga Springs; NY; 12866; US", "", "paypal"},
}

func customers(r *dice, now time.Time) []Customer {
	all := make([]Customer, len(people))
	for i, p := range people {
		slug := text.Slug(p.name, 40)
		if slug == "" {
			slug = "customer"
		}
		c := Customer{
			ID: fmt.Sprintf("%s_%04d", slug, 1000+r.roll(9000)), Name: p.name, Phone: p.phone,
			Email: mailbox(p.name, i) + "@example.com",
			Since: now.AddDate(-1, 0, -30-r.roll(300)).Truncate(time.Minute),
		}
		for _, a := range []string{p.home, p.work} {
			if a != "" {
				c.Addresses = append(c.Addresses, c.address(a))
			}
		}
		for _, m := range strings.Split(p.pays, ", ") {
			c.Methods = append(c.Methods, c.method(m))
		}
		all[i] = c
	}
	return all
}

// mailbox is the local part of an email address; names that cannot be written in
// ASCII get a number.
func mailbox(name string, i int) string {
	if slug := text.Slug(name, 40); slug != "" {
		return strings.ReplaceAll(slug, "_", ".")
	}
	return fmt.Sprintf("customer%d", i)
}

func (c *Customer) address(s string) Address {
	label, rest, _ := strings.Cut(s, ": ")
	f := strings.Split(rest, "; ")
	return Address{ID: "adr_" + c.ID + "_" + text.Slug(label, 20), Label: label, Line1: f[0], City: f[1], Region: f[2], PostalCode: f[3], Country: f[4]}
}

func (c *Customer) method(s string) Method {
	first, second, _ := strings.Cut(s, " ")
	switch first {
	case "paypal", "onAccount":
		return Method{ID: "pm_" + c.ID + "_" + strings.ToLower(first), Kind: first}
	case "giftCard":
		return Method{ID: "pm_" + c.ID + "_gift", Kind: first, Balance: number(second)}
	}
	return Method{ID: "pm_" + c.ID + "_" + strings.ToLower(first), Kind: "card", Brand: first, LastFour: second}
}
