import type { ReferenceRow } from "./reference-row.ts";

/** A database outside of the cluster instead of etcd: where it is, and the certificates for it, in files of a folder. */
export const externalDatastore = (folder: string): ReferenceRow => ({
  from: "server.externalDatastoreSecret",
  object: "secret",
  only: "servers",
  contents: [
    { data: "endpoint", key: "datastore-endpoint" },
    { data: "ca.pem", key: "datastore-cafile", file: `${folder}/datastore-ca.crt`, optional: true },
    {
      data: "cert.pem",
      key: "datastore-certfile",
      file: `${folder}/datastore-cert.crt`,
      optional: true,
      needs: "key.pem",
    },
    { data: "key.pem", key: "datastore-keyfile", file: `${folder}/datastore-key.crt`, optional: true },
  ],
});
