// Package archive keeps copies of the logs of many programs in one place: each program publishes its records to
// JetStream after they are committed, and an archive keeps a log of the same format for each, with the chain verified
// as records arrive. A source is one of these programs, by a name of letters, digits, "-" and "_".
//
//	p, err := archive.NewPublisher("berlin-2", archive.Options{}) // beside the log
//	err = p.Run(ctx, js, log)
//
//	a, err := archive.Open(folder, archive.Options{}) // elsewhere
//	err = a.Run(ctx, js)
//	log, release, err := a.Log(ctx, "berlin-2", 0) // to be searched, exported, verified: see package audit
//
// The stream is made once, by who operates the servers: [Options.StreamConfig]. It needs servers of 2.12 or later, for
// batches that are stored as a whole or not at all.
//
// # What is published
//
// The main stream of the log: everything but what people only looked at, which stays where it was looked at. An
// archive's log has a segment of that kind of its own: what people looked at in the archive.
//
// A publisher asks the stream for the last record that it has and goes on after it, so that nothing is lost when a
// program dies between a commit and the publishing of it. Records are published in batches, each on the condition that
// the last record is still the one that the publisher knows: no hole can arise, also when two publish one log. While
// others write to the log a publisher yields to them, and catches up later.
//
// # Subjects and messages
//
//	PREFIX.SOURCE.record           records, in the order of the log
//	PREFIX.SOURCE.payload.BUCKET   payloads; BUCKET is the number of the record divided by 256
//
// The data of a record's message is the bytes that its hash covers, as [chain.Parse] reads them: their SHA-256 is the
// hash. Headers of a record:
//
//	Nats-Msg-Id   the hash, hex
//	Seq           the number of the record
//	Payload       the numbers that the parts of its payload have in the stream; none: it was erased before
//	Removed       of the first record, if retention removed others before: when, and by which request
//
// A payload is in the stream before its record, in parts of at most 512 KB. Its headers:
//
//	Nats-Msg-Id   SOURCE.HASH.PART
//	Seq           the number of the record
//	Salt          hex
//
// These permissions of the server bind a program to its own source, and an archive to reading:
//
//	program:  publish   PREFIX.SOURCE.>, $JS.API.STREAM.INFO.STREAM, $JS.API.STREAM.MSG.GET.STREAM,
//	                    $JS.API.STREAM.MSG.DELETE.STREAM, $JS.API.CONSUMER.*.STREAM.>
//	archive:  publish   $JS.API.STREAM.INFO.STREAM, $JS.API.STREAM.MSG.GET.STREAM, $JS.API.CONSUMER.*.STREAM.>
//
// The server does not limit the reading and deleting of single messages to a subject. Programs that do not trust one
// another get a stream of their own each, or an account.
//
// A record whose message is larger than the server's max_payload or the stream's own limit is not published, nor what
// follows it: the publisher raises an [Alarm], says so in [Publisher.Problem], and tries again each minute and when it
// is connected anew. The bytes that a hash covers hold no payload; they are a few hundred, and more for a request that
// erased very many records far apart.
//
// # What an archive refuses
//
// A record whose hash or payload is not as it was written, a gap, a record that does not follow the last one, and
// another record of a number that it has. It raises an [Alarm] that names the record, keeps what it had, and goes on
// with the other sources. The following records of the source are refused too until one continues what the archive has.
//
// The archive trusts the chain and nothing else. It cannot tell what a program wrote into its log in the first place,
// nor that a program which writes its log forges requests that erase or restore: those are records, and stay.
//
// # A restore
//
// The record of a restore names the head of the log that was replaced and that of the copy. The archive begins an epoch
// with it: a log that has the records of the copy, and goes on with this one. The log of the epoch before stays as it
// is, and [Epoch] says where it was abandoned. What was abandoned before it was published is not in the archive, which
// [Epoch.Known] shows. A payload that was erased in one epoch is in none.
//
// # Erasure
//
// Before a record is published that says which payloads its request erased, the publisher deletes their messages, and
// the server overwrites them. The archive deletes the payloads when it takes the record, overwrites them, and notes the
// request: its log verifies and says how much was erased.
//
// What neither reaches: copies of the archive's folder and backups or snapshots of the stream (nats stream backup,
// copies of the servers' disks), mirrors and streams with this one as their source, and blocks of the disk that the
// file system or the device keeps of what was overwritten. Let them expire, or delete them, within the time in which
// an erasure must be complete. The servers hold a batch of records in files of its own for a moment; payloads are not
// in it.
//
// # Retention
//
// A publisher notes beside the log how far it is published ([audit.Log.NotePublished]), once a second at most, which
// keeps every program from removing what the stream does not have. The stream itself keeps everything:
// give it no limits that an archive does not keep up with, since what a stream drops before it was read is a gap.
package archive
