import {
  enumOf,
  flagField,
  list,
  map,
  mapField,
  object,
  objectReference,
  optional,
  textField,
  textsField,
} from "@capstan/schema";
import { contentKey, fileFields } from "./file-fields.ts";

const source = (description: string) =>
  optional(object({ ...contentKey, namespace: textField("Its namespace; the object's when unset.") }, { description }));

/** Files whose content may stand in a Secret or ConfigMap. */
export const filesField = (description: string) =>
  optional(
    list(
      object(
        {
          ...fileFields,
          contentFrom: optional(
            object(
              { secret: source("A Secret."), configMap: source("A ConfigMap.") },
              {
                description: "Where the content comes from instead.",
                rules: [
                  {
                    rule: "!(has(self.secret) && has(self.configMap))",
                    message: "Only configMap or secret can be populated at once",
                  },
                ],
              },
            ),
          ),
        },
        { description: "One file." },
      ),
      { description },
    ),
  );

const registries = object(
  {
    mirrors: optional(
      map(
        object(
          {
            endpoint: textsField("Where to ask instead, in this order.", "A URL."),
            rewrite: mapField("Names of images by patterns.", "What the pattern becomes."),
          },
          { description: "Mirrors of one registry." },
        ),
        { description: "Mirrors by registry." },
      ),
    ),
    configs: optional(
      map(
        object(
          {
            authSecret: optional(
              objectReference({ description: "Secret with username and password, with identity-token, or with auth." }),
            ),
            tls: optional(
              object(
                {
                  tlsConfigSecret: optional(
                    objectReference({ description: "Secret with tls.crt, tls.key and ca.crt." }),
                  ),
                  insecureSkipVerify: flagField("Whether the certificate is not checked."),
                },
                { description: "How to connect." },
              ),
            ),
          },
          { description: "Access to one registry." },
        ),
        { description: "Access by registry." },
      ),
    ),
  },
  { description: "Registries that containerd uses." },
);

/** Registries of containerd, and the packing of the data. */
export const dataFields = () => ({
  privateRegistriesConfig: optional(registries),
  gzipUserData: flagField("Whether the bootstrap data is compressed."),
});

const additionalUserData = object(
  {
    config: textField("A whole cloud-config, or Butane for the ignition format."),
    data: mapField("Top-level keys of the cloud-config.", "Value of the key, as YAML."),
    strict: flagField("Whether warnings of the Butane translation are errors."),
  },
  {
    description: "What is added to the user data.",
    rules: [
      {
        rule: "!has(self.data) || !has(self.config)",
        message: "Only config or data could be populated at once",
      },
    ],
  },
);

const ntp = object(
  {
    servers: textsField("Servers to ask.", "A host name or address."),
    enabled: flagField("Whether the service runs."),
  },
  { description: "Time synchronisation." },
);

/** Fields of the document apart from the installation of the distribution. */
export const documentFields = () => ({
  additionalUserData: optional(additionalUserData),
  format: optional(
    enumOf(["cloud-config", "ignition"], { description: "Format of the bootstrap data; cloud-config when unset." }),
  ),
  ntp: optional(ntp),
});
