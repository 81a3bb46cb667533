import {
  flagField,
  list,
  map,
  mapField,
  object,
  objectReference,
  optional,
  string,
  textField,
  textsField,
} from "@capstan/schema";
import { contentKey, fileFields } from "./file-fields.ts";
import { rke2AgentConfig } from "./rke2-agent-config.ts";

const source = (description: string) =>
  optional(object({ ...contentKey, namespace: textField("Its namespace; the object's when unset.") }, { description }));

const file = object(
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
              objectReference({ description: "Secret with username and password, or with identity-token." }),
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

/** Fields of an RKE2Config, which an RKE2ControlPlane has too. They are the same in all versions. */
export const rke2ConfigFields = () => ({
  files: optional(list(file, { description: "Files to write before RKE2 is installed." })),
  preRKE2Commands: textsField("Commands to run before RKE2 is installed.", "A command for the shell."),
  postRKE2Commands: textsField("Commands to run once RKE2 has started.", "A command for the shell."),
  agentConfig: optional(rke2AgentConfig()),
  privateRegistriesConfig: optional(registries),
  gzipUserData: flagField("Whether the bootstrap data is compressed."),
});

/** Labels and annotations that a template hands to what is made from it. */
export const templateMetadata = (limits: { readonly minProperties?: number } = {}) =>
  object(
    {
      labels: optional(map(string({ description: "Value of the label." }), { description: "Labels to set." })),
      annotations: optional(
        map(string({ description: "Value of the annotation." }), { description: "Annotations to set." }),
      ),
    },
    { description: "Labels and annotations of what is made from the template.", ...limits },
  );
