// Package archive keeps copies of the logs of many programs in one place. Each program publishes its committed records
// to JetStream. An archive keeps a log in the same format for each program and verifies the chain as records arrive. A
// source is one of these programs, under a name of letters, digits, "-" and "_".
//
//	p, err := archive.NewPublisher("berlin-2", archive.Options{}) // beside the log
//	err = p.Run(ctx, js, log)
//
//	a, err := archive.Open(folder, archive.Options{}) // elsewhere
//	err = a.Run(ctx, js)
//	log, release, err := a.Log(ctx, "berlin-2", 0) // to be searched, exported, verified: see package audit
//
// The operator of the servers creates the stream once: [Options.StreamConfig]. It needs servers of version 2.12 or
// later, for atomic batches.
//
// # Published records
//
// The publisher publishes the main stream of the log. Records of mere reads stay in the program. An archive's log has a
// separate segment for reads, which records the reads in the archive.
//
// A publisher asks the stream for its last record and continues after it, so that nothing is lost if a program dies
// between a commit and its publication. It publishes records in batches, each on the condition that its own last record
// is still the last one in the stream. So there is no gap even if two publishers publish one log. While other programs
// write to the log, the publisher yields to them and catches up later.
//
// # Subjects and messages
//
//	PREFIX.SOURCE.record           records, in the order of the log
//	PREFIX.SOURCE.payload.BUCKET   payloads; BUCKET is the number of the record divided by 256
//
// The data of a record's message is the bytes that its hash covers, as [chain.Parse] reads them; their SHA-256 is the
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
// The server cannot limit reading and deleting single messages to a subject. Programs that do not trust one another
// each need a separate stream or an account.
//
// A record whose message exceeds the server's max_payload or the stream's limit is not published, nor are the later
// ones. The publisher raises an [Alarm], reports the problem in [Publisher.Problem], and tries again each minute and
// after each new connection. The bytes that a hash covers contain no payload. They are a few hundred, and more for a
// request that erased very many scattered records.
//
// # Refused records
//
// An archive refuses a record whose hash or payload was altered, a gap, a record that does not follow the last one, and
// a second record with a number that it has. It raises an [Alarm] that names the record, keeps its copy, and continues
// with the other sources. It also refuses the later records of the source until one continues its copy.
//
// The archive trusts only the chain. It cannot detect false records that a program writes into its log, nor a forged
// request that erases or restores: those are records too, and stay.
//
// # A restore
//
// The record of a restore names the head of the replaced log and that of the copy. The archive begins an epoch with it:
// a log that has the records of the copy, followed by this one. The log of the previous epoch stays unchanged, and
// [Epoch] names the record after which it was abandoned. Abandoned records that were never published are missing in the
// archive; [Epoch.Known] shows this. A payload that was erased in one epoch is in none.
//
// # Erasure
//
// Before the publisher publishes the record of an erasure, it deletes the messages of the erased payloads, and the
// server overwrites them. When the archive receives the record, it deletes and overwrites the payloads and stores the
// request. So its log verifies, and the verdict counts the erased payloads.
//
// Neither step reaches copies of the archive's folder and backups or snapshots of the stream (nats stream backup,
// copies of the servers' disks), mirrors and streams with this one as their source, and disk blocks in which the file
// system or the device keeps overwritten data. Let them expire, or delete them, within the time limit for an erasure.
// For a moment the servers keep a batch of records in separate files; it contains no payloads.
//
// # Retention
//
// A publisher stores the number of its last published record in a file next to the log ([audit.Log.NotePublished]), at
// most once a second. This prevents every program from removing records that the stream lacks. The stream itself keeps
// everything: set no limits that make it drop messages before the archive has read them, because that leaves a gap.
package archive
