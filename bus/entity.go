package bus

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Entity is a kind of record, declared by the pure capability that lists such records. A field whose schema has
// x-entity=folder is the id of one. The bus derives from these the choices of a form, the names that people read in
// place of ids, the records that an assistant finds by name, and links.
//
// Several capabilities may list one kind, such as the files of a folder and the recent files. One of them gives it a
// Title and with it the fields below; the others have only Type and List. A call uses the list whose required arguments
// it also requires; of several, the one with the most required arguments.
type Entity struct {
	Type string `json:"type"` // a word, the value of x-entity
	List string `json:"-"`    // JSON Pointer of the list in the output; each record in it has an id

	Title   string `json:"title"`             // for display: "Folder"
	Get     string `json:"get,omitempty"`     // the pure capability that reads one; its only required field is the id
	Display string `json:"display,omitempty"` // template of a record's name, with its fields; default "{name}"
	Link    string `json:"link,omitempty"`    // the page of a record: "folders/{id}"

	// Resolve returns the names of existing records by id if there is no Get. It reads in the snapshot of ctx, with the
	// rights of call.Person. Without both, a list without required arguments names the records, if there is one.
	Resolve func(ctx context.Context, call *Call, ids []string) (map[string]string, error) `json:"-"`

	Sources []string `json:"sources"` // filled in by the bus: the lists, capability#/list
}

const defaultDisplay = "{name}"

// kind is an entity with the capabilities that list it.
type kind struct {
	Entity
	by      *registered // declares its title
	sources []source
}

// source is a list of records of one kind.
type source struct {
	of   *registered
	list string
}

// lacks returns the first slot of a display template that is no field at a pointer, or "".
func (s side) lacks(pointer, display string) string {
	for _, slot := range slotForm.FindAllString(display, -1) {
		if s.Schema != nil && !s.HasField(pointer+strings.Trim(slot, "{}")) {
			return slot
		}
	}
	return ""
}

func (s source) String() string { return s.of.Name + "#" + s.list }

var entityForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`) })

// checkEntities checks the entities that a capability declares.
func (r *registered) checkEntities() error {
	for i, e := range r.Entities {
		at := fmt.Sprintf("at /entities/%d", i)
		switch {
		case !entityForm().MatchString(e.Type):
			return fmt.Errorf("%s: %q is not a word", at, e.Type)
		case r.SideEffect != Pure:
			return fmt.Errorf("%s: only a pure capability lists records", at)
		case e.Title == "" && (e.Get != "" || e.Display != "" || e.Link != "" || e.Resolve != nil):
			return fmt.Errorf("%s: without a title it has nothing but a type and a list", at)
		case r.out.Schema != nil && !r.out.HasField(e.List+"/*/id"):
			return fmt.Errorf("%s: the output has no list %q of records with an id", at, e.List)
		}
		if slot := r.out.lacks(e.List+"/*/", e.Display); slot != "" && e.Resolve == nil && e.Get == "" {
			return fmt.Errorf("%s: the records of the list have no field %s to display", at, slot)
		}
	}
	return nil
}

// entitiesOf collects the kinds of records. It replaces the capabilities by copies that refer to them, because other
// goroutines may be reading the listing.
func entitiesOf(caps []*registered) (map[string]*kind, error) {
	kinds := map[string]*kind{}
	for _, c := range caps {
		for _, e := range c.Entities {
			k := kinds[e.Type]
			if k == nil {
				k = &kind{Entity: Entity{Type: e.Type}}
				kinds[e.Type] = k
			}
			k.sources = append(k.sources, source{c, e.List})
			if e.Title == "" {
				continue
			}
			if k.by != nil {
				return nil, fmt.Errorf("capability %q: the entity %s has a title in %s too", c.Name, e.Type, k.by.Name)
			}
			sources := k.sources
			*k = kind{Entity: e, by: c, sources: sources}
			k.Display = cmp.Or(k.Display, defaultDisplay)
		}
	}
	for _, k := range kinds {
		for _, s := range k.sources {
			k.Sources = append(k.Sources, s.String())
		}
	}
	for i, c := range caps {
		described := *c
		described.describeLate(kinds)
		caps[i] = &described
	}
	return kinds, nil
}

// domainsOf returns the domains that names of records depend on: those of the lists of every kind.
func domainsOf(kinds map[string]*kind) []string {
	all := []string{}
	for _, k := range kinds {
		for _, s := range k.sources {
			all = append(all, s.of.Provides...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// sourcesOf returns the lists that contain the ids in the input of c, by kind of record.
func (c *registered) sourcesOf(kinds map[string]*kind) (sources map[string]string) {
	for _, of := range c.in.Entities() {
		if k := kinds[of]; k != nil {
			if s := c.sourceOf(k); s != "" {
				if sources == nil {
					sources = map[string]string{}
				}
				sources[of] = s
			}
		}
	}
	return sources
}

// sourceOf returns the list that contains the ids of a kind for a call of c, or "".
func (c *registered) sourceOf(k *kind) (best string) {
	most := -1
	for _, s := range k.sources {
		required := s.of.in.Required()
		if s.of.Name != c.Name && len(required) > most && !slices.ContainsFunc(required, func(name string) bool {
			return !slices.Contains(c.in.Required(), name)
		}) {
			most, best = len(required), s.String()
		}
	}
	return best
}

// checkKnown returns errors for undeclared kinds of records, and for capabilities that a declaration names wrongly.
func (l *listing) checkKnown() (wrong []error) {
	for _, c := range l.caps {
		for _, s := range []side{c.in, c.out} {
			for _, of := range s.Entities() {
				if l.kinds[of] == nil {
					wrong = append(wrong, fmt.Errorf("capability %q: no capability lists records of x-entity %q", c.Name, of))
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.kinds)) {
		k := l.kinds[name]
		if k.by == nil {
			wrong = append(wrong, fmt.Errorf("entity %q: no capability gives it a title", name))
			continue
		}
		at, known := l.at[k.Get]
		if k.Get != "" && (!known || l.caps[at].SideEffect != Pure || len(l.caps[at].in.Required()) != 1) {
			wrong = append(wrong, fmt.Errorf("capability %q: %q is no pure capability that requires an id alone", k.by.Name,
				k.Get))
		} else if k.Get == "" {
			continue
		} else if slot := l.caps[at].out.lacks("/", k.Display); slot != "" {
			wrong = append(wrong, fmt.Errorf("capability %q: the output of %q has no field %s to display", k.by.Name, k.Get,
				slot))
		}
	}
	return wrong
}

// entities lists the kinds of records with a list in the view, by type.
func (l *listing) entities(v View) []Entity {
	var all []Entity
	for _, name := range slices.Sorted(maps.Keys(l.kinds)) {
		k := l.kinds[name]
		if k.by != nil && slices.ContainsFunc(k.sources, func(s source) bool { return v.sees(&s.of.sight) }) {
			all = append(all, k.Entity)
		}
	}
	return all
}

// Sources returns the lists that contain the ids in a capability's input, as "capability#/list" by kind of record.
func (b *Bus) Sources(capability string) map[string]string {
	if c := b.find(capability); c != nil {
		return maps.Clone(c.entry().Sources)
	}
	return nil
}

// maxNamed limits the records named at once.
const maxNamed = 100

// Names returns the names of records of one kind by id. It includes the records that exist and that the person may
// read, and takes the names from the capability that reads such a record, or else from the one that lists them. It
// returns none for an undeclared kind. Of more than 100 ids it names the first 100.
func (b *Bus) Names(ctx context.Context, p Principal, entity string, ids ...string) (names map[string]string,
	err error) {
	err = b.o.Journal.View(forOthers(ctx), func(ctx context.Context) error {
		names, err = b.namesIn(ctx, p, entity, ids)
		return err
	})
	return names, err
}

// namesIn is Names in the snapshot of ctx.
func (b *Bus) namesIn(ctx context.Context, p Principal, entity string, ids []string) (map[string]string, error) {
	l := b.listed.Load()
	k := l.kinds[entity]
	if k == nil || k.by == nil {
		return nil, nil
	}
	reader, list := k.by, ""
	switch at, known := l.at[k.Get]; {
	case k.Resolve != nil:
	case known:
		reader = l.caps[at]
	default:
		i := slices.IndexFunc(k.sources, func(s source) bool { return len(s.of.in.Required()) == 0 })
		if i < 0 {
			return nil, nil
		}
		reader, list = k.sources[i].of, k.sources[i].list
	}
	if !(View{Principal: p}).sees(&reader.sight) {
		return nil, nil
	}
	r := b.start(Invocation{Principal: p, Capability: reader.Name})
	r.cap, ids = reader, ids[:min(len(ids), maxNamed)]
	r.body = json.RawMessage(`{}`)
	if err := b.availability(ctx, reader, r.newCall()); err != nil {
		return nil, ctx.Err()
	}
	ctx = reader.within(ctx)
	switch {
	case k.Resolve != nil:
		return k.Resolve(ctx, r.newCall(), ids)
	case list != "":
		return r.listed(ctx, list, k, ids)
	}
	names := map[string]string{}
	for _, id := range ids {
		args, _ := json.Marshal(map[string]string{reader.in.Required()[0]: id}) // two strings
		if r.setArguments(args) != nil || r.checkLimit(ctx, nil) != nil {
			continue // it is no id, or the person may not read this record
		}
		data, err := reader.Handler(ctx, r.newCall())
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var record map[string]any
		_ = json.Unmarshal(data, &record) // empty after an error
		if name := k.NameOf(record); err == nil && name != "" {
			names[id] = name
		}
	}
	return names, nil
}

// listed names the records of a list that requires no arguments.
func (r *run) listed(ctx context.Context, pointer string, k *kind, ids []string) (map[string]string, error) {
	if r.setArguments(nil) != nil || r.checkLimit(ctx, nil) != nil {
		return nil, ctx.Err()
	}
	data, err := r.cap.Handler(ctx, r.newCall())
	if err != nil {
		return nil, ctx.Err()
	}
	names := map[string]string{}
	for _, record := range recordsIn(data, pointer) {
		id, _ := record["id"].(string)
		if name := k.NameOf(record); name != "" && slices.Contains(ids, id) {
			names[id] = name
		}
	}
	return names, nil
}

// NameOf returns the display name of a record from its decoded fields, or "" if they contain none.
func (e Entity) NameOf(record map[string]any) string {
	return strings.TrimSpace(slotForm.ReplaceAllStringFunc(e.Display, func(slot string) string {
		if v, ok := record[strings.Trim(slot, "{}")]; ok && v != nil {
			return fmt.Sprint(v)
		}
		return ""
	}))
}

type namesInput struct {
	Records []recordRef `json:"records" jsonschema:"maxItems=100"`
}

type recordRef struct {
	Entity string `json:"entity" jsonschema:"minLength=1,maxLength=64"`
	ID     string `json:"id" jsonschema:"maxLength=200"`
}

type namesOutput struct {
	Records []namedRecord `json:"records"`
}

type namedRecord struct {
	recordRef
	Name string `json:"name"`
}

// names handles entity.names.
func (b *Bus) names(ctx context.Context, call *Call, in namesInput) (namesOutput, error) {
	out := namesOutput{Records: []namedRecord{}}
	byKind := map[string][]string{}
	for _, ref := range in.Records {
		byKind[ref.Entity] = append(byKind[ref.Entity], ref.ID)
	}
	for _, of := range slices.Sorted(maps.Keys(byKind)) {
		names, err := b.namesIn(ctx, call.Person, of, byKind[of])
		if err != nil {
			return out, err
		}
		for _, id := range slices.Sorted(maps.Keys(names)) {
			out.Records = append(out.Records, namedRecord{recordRef{of, id}, names[id]})
		}
	}
	return out, nil
}
