package auditreport

// Code has the Go code that probably sends requests.
type Code struct {
	// Modules has the modules that were read.
	Modules []CodeModule `json:"modules"`
	// Origins has the places that probably send deprecated requests or the writes of
	// fights.
	Origins []CodeOrigin `json:"origins"`
	// Unknown has the clients whose name does not occur in the code, although they send
	// deprecated requests or fight.
	Unknown []CodeClient `json:"unknown"`
}

// CodeModule is a Go module that was read.
type CodeModule struct {
	Module    string `json:"module"`
	Directory string `json:"directory"`
	// Packages is the number of packages that use Kubernetes. Failed is the number of
	// packages that could not be analyzed completely.
	Packages int `json:"packages"`
	Failed   int `json:"failed"`
}

// CodeClient identifies a client in findings.
type CodeClient struct {
	User    string `json:"user"`
	Agent   string `json:"agent"`
	Manager string `json:"manager"`
}

// CodeOrigin is the code that probably sends the requests of a client.
type CodeOrigin struct {
	// Rule and Subject are from the finding. For deprecatedapi and removedapi, Subject is
	// an API. For fieldfight and selfflap, it is an object.
	Rule    string `json:"rule"`
	Subject string `json:"subject"`
	User    string `json:"user"`
	Agent   string `json:"agent"`
	Manager string `json:"manager"`
	// Confidence is "constant" if the code contains the name of the client, "binary" if
	// one of its programs has this name, and "module" if only the module has this name.
	Confidence string `json:"confidence"`
	// Name is the name that the client and the code share. Named is the place of the name
	// in the code. Named is nil for the name of the module.
	Name    string     `json:"name"`
	Named   *CodePlace `json:"named,omitempty"`
	Module  string     `json:"module"`
	Package string     `json:"package"`
	// Places has the places that may send the requests, the most probable first. It is
	// empty if the code does not name the API. Left is the number of places that are not
	// listed.
	Places []CodePlace `json:"places"`
	Left   int         `json:"left"`
}

// CodePlace is a place in Go code.
type CodePlace struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Does describes the code at the place.
	Does string `json:"does"`
}
