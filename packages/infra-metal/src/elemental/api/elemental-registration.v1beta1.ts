import { Label } from "@capstan/contract";
import {
  boolean,
  defaulted,
  int32,
  int64,
  kind,
  map,
  object,
  objectReference,
  optional,
  preserveUnknown,
  string,
} from "@capstan/schema";
import { elementalKind } from "./names.ts";
import { plainConditions } from "./status-parts.ts";

const defaultPlugin = "/usr/lib/elemental/plugins/elemental.so";
const tenSeconds = 10_000_000_000;

const afterwards = (what: string) =>
  object(
    {
      powerOff: optional(boolean({ description: "The host powers off." })),
      reboot: optional(boolean({ description: "The host reboots." })),
    },
    { description: `What happens after ${what}.` },
  );

const hostname = () =>
  object(
    {
      useExisting: defaulted(
        boolean({ description: "Keep the name that the host has; a random one otherwise." }),
        false,
      ),
      prefix: optional(string({ description: "Put before the name." })),
    },
    { description: "How the host is named." },
  );

const agent = () =>
  object(
    {
      workDir: defaulted(string({ description: "Folder of the agent." }), "/var/lib/elemental/agent"),
      hostname: defaulted(hostname(), { useExisting: true }),
      noSmbios: optional(boolean({ description: "The agent collects no SMBIOS data, whatever this says." })),
      debug: optional(boolean({ description: "More is logged." })),
      osPlugin: defaulted(string({ description: "Program that changes the operating system." }), defaultPlugin),
      reconciliation: defaulted(int64({ description: "Nanoseconds between two looks of the agent." }), tenSeconds),
      insecureAllowHttp: optional(boolean({ description: "The agent may speak plain HTTP." })),
      insecureSkipTlsVerify: optional(boolean({ description: "The agent trusts every certificate." })),
      useSystemCertPool: optional(boolean({ description: "The agent trusts the authorities of its system too." })),
      postInstall: optional(afterwards("the installation")),
      postReset: optional(afterwards("a reset")),
    },
    { description: "How the agent works." },
  );

const registration = () =>
  object(
    {
      uri: optional(string({ description: "Where hosts register; set by the controller when empty." })),
      caCert: optional(string({ description: "PEM of the authority of that server; likewise." })),
      token: optional(string({ description: "What registering hosts show; likewise. Take it away for a new one." })),
      tokenDuration: optional(
        int64({ description: "Nanoseconds that a token is valid; 0: for ever. Default: as the provider says." }),
      ),
    },
    { description: "How the agent reaches the Elemental API." },
  );

const elemental = () =>
  object(
    {
      registration: optional(registration()),
      agent: optional(
        // Upstream's default leaves out what the fields themselves have defaults for.
        {
          ...agent(),
          default: {
            debug: false,
            hostname: { useExisting: false },
            osPlugin: defaultPlugin,
            reconciliation: tenSeconds,
          },
        },
      ),
      install: optional(preserveUnknown({ description: "What the OS plugin is given to install." })),
      reset: optional(preserveUnknown({ description: "What the OS plugin is given to reset." })),
    },
    { description: "Configuration of the agent and its OS plugin." },
  );

export const ElementalRegistration = kind({
  ...elementalKind,
  labels: { ...elementalKind.labels, [Label.clusterctl]: "", [Label.move]: "" },
  kind: "ElementalRegistration",
  plural: "elementalregistrations",
  description: "By which hosts register, and what they are told.",
  spec: optional(
    object(
      {
        hostLabels: optional(
          map(string({ description: "One value." }), { description: "Labels that registering hosts get." }),
        ),
        hostAnnotations: optional(
          map(string({ description: "One value." }), { description: "Annotations that registering hosts get." }),
        ),
        hostLimit: optional(
          int32({
            description: "How many hosts may register; 0: any number. Default: as the provider says.",
            minimum: 0,
          }),
        ),
        privateKeyRef: optional(
          objectReference({ description: "Secret with the key that signs tokens; set by the controller when empty." }),
        ),
        config: optional(
          object(
            {
              cloudConfig: optional(preserveUnknown({ description: "A cloud-config for every host." })),
              elemental: optional(elemental()),
            },
            { description: "What registered hosts are told." },
          ),
        ),
      },
      { description: "The registration wanted." },
    ),
  ),
  status: object({ conditions: optional(plainConditions()) }),
});

/** One ElementalRegistration. */
export type ElementalRegistration = typeof ElementalRegistration.Type;
