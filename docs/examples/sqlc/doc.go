// Package sqlc is an example of capabilities whose queries sqlc has printed: a transaction of package audit is the DBTX
// of package stock. See the example of this package, migrations, query.sql and sqlc.yaml.
package sqlc
