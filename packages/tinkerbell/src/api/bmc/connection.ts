import {
  boolean,
  defaulted,
  enumOf,
  flagField,
  int32,
  integer,
  list,
  map,
  object,
  optional,
  readsSecret,
  secretReference,
  string,
  textField,
} from "@capstan/schema";

const port = (description: string) => optional(integer({ description }));
const texts = (description: string) => list(string({ description: "One." }), { description });

const rpc = object(
  {
    consumerURL: string({ description: "Where requests are sent." }),
    logNotificationsDisabled: flagField("Whether nothing is logged of requests."),
    request: optional(
      object(
        {
          httpContentType: textField("Content type; application/json when unset."),
          httpMethod: textField("Method; POST when unset."),
          staticHeaders: optional(map(texts("Values of the header."), { description: "Headers of each request." })),
          timestampFormat: textField("Form of the time; RFC 3339 when unset."),
          timestampHeader: textField("Header with the time; X-Rufio-Timestamp when unset."),
        },
        { description: "The form of requests." },
      ),
    ),
    signature: optional(
      object(
        {
          headerName: textField("Header with the signature; X-Rufio-Signature when unset."),
          appendAlgoToHeaderDisabled: flagField("Whether the header's name stays without the algorithm."),
          includedPayloadHeaders: optional(texts("Headers whose values are signed as well.")),
        },
        { description: "How requests are signed." },
      ),
    ),
    hmac: optional(
      object(
        {
          prefixSigDisabled: flagField("Whether the signature stays without the algorithm."),
          secrets: optional(
            map(
              list(secretReference({ description: "A Secret with the key secret." }), {
                description: "Secrets of the algorithm.",
              }),
              { description: "Secrets that sign, by the algorithm sha256 or sha512." },
            ),
          ),
        },
        { description: "What signs requests." },
      ),
    ),
    experimental: optional(
      object(
        {
          customRequestPayload: textField("A body in which the request is put."),
          dotPath: textField("Where in it the request is put."),
        },
        { description: "What may change." },
      ),
    ),
  },
  { description: "Settings of the provider that sends requests to a program of one's own." },
);

const providerOptions = object(
  {
    preferredOrder: optional(
      list(
        string({
          description: "Name of a provider.",
          pattern: "(?i)^(ipmitool|asrockrack|gofish|IntelAMT|dell|supermicro|openbmc)$",
        }),
        { description: "Providers that are tried first." },
      ),
    ),
    intelAMT: optional(
      object(
        {
          port: port("Port."),
          hostScheme: defaulted(enumOf(["http", "https"], { description: "Scheme." }), "http"),
        },
        { description: "Settings of IntelAMT." },
      ),
    ),
    ipmitool: optional(
      object({ port: port("Port."), cipherSuite: textField("Cipher suite.") }, { description: "Settings of IPMI." }),
    ),
    redfish: optional(
      object(
        {
          port: port("Port."),
          useBasicAuth: flagField("Whether requests carry the credentials instead of a session."),
          systemName: textField("The system, where there are several."),
        },
        { description: "Settings of Redfish." },
      ),
    ),
    rpc: optional(rpc),
    homeassistant: optional(
      object(
        {
          switchEntityID: string({ description: "Entity that switches the power." }),
          powerOperationDelaySeconds: optional(int32({ description: "Seconds between off and on." })),
        },
        { description: "Settings of Home Assistant." },
      ),
    ),
  },
  { description: "Settings of the ways to reach it." },
);

/** References of a connection to objects that may be in other namespaces. */
export const connectionReferences = [
  { ...readsSecret("spec.connection.authSecretRef"), boundTo: "spec.connection" },
  { ...readsSecret("spec.connection.providerOptions.rpc.hmac.secrets[*][*]"), boundTo: "spec.connection" },
] as const;

/** Returns the schema of a connection to board management. */
export const bmcConnection = () =>
  object(
    {
      host: string({ description: "Address or name.", minLength: 1 }),
      port: defaulted(integer({ description: "Port." }), 623),
      authSecretRef: optional(secretReference({ description: "Secret with the keys username and password." })),
      insecureTLS: boolean({ description: "Whether certificates are not checked." }),
      providerOptions: optional(providerOptions),
    },
    { description: "How it is reached." },
  );
