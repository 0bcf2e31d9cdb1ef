package peer

import "github.com/deskhand/deskhand/bus"

// SchemaViolation is a call whose request or response violated its schema, in the form that typed capabilities print.
// Only the record contains the response itself.
type SchemaViolation struct {
	Status     string          `json:"status"`     // "schema-violation"
	SchemaSide string          `json:"schemaSide"` // "request" or "response"
	Violations []bus.Violation `json:"violations"`
	Error      struct {
		Code    string `json:"code"` // "EAGENTRPC_SCHEMA_VIOLATION"
		Message string `json:"message"`
	} `json:"error"`
}

// AsSchemaViolation converts a result of a bus to that form. It returns false if there was no violation.
func AsSchemaViolation(r bus.Result) (v SchemaViolation, is bool) {
	if r.Err == nil || r.Err.SchemaSide == "" {
		return v, false
	}
	v = SchemaViolation{Status: "schema-violation", SchemaSide: r.Err.SchemaSide, Violations: r.Err.Violations}
	v.Error.Code, v.Error.Message = "EAGENTRPC_SCHEMA_VIOLATION", r.Err.Message
	return v, true
}
