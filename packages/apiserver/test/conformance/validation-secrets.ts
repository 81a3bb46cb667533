import type { ValidationCase } from "./validation-case.ts";

type Texts = Readonly<Record<string, string>>;

const secret = (type: string, stringData: Texts, more: object = {}): readonly [string, string, object] => [
  "/api/v1",
  "secrets",
  { type, stringData, ...more },
];
const config = (text: string) => secret("kubernetes.io/dockerconfigjson", { ".dockerconfigjson": text });
const older = (text: string) => secret("kubernetes.io/dockercfg", { ".dockercfg": text });
const noConfig = ["Invalid data[.dockerconfigjson]"];
const owned = (annotations: object) => ({ metadata: { annotations } });
const account = "kubernetes.io/service-account.name";

/** Secrets of a type that says what is in them: what a kube-apiserver says about new ones. */
export const secretsCases: readonly ValidationCase[] = [
  ["Secret: registry", ...config('{"auths":{}}'), []],
  ["Secret: registry, anything in the object", ...config('{"a":[1e5,{"b":null}],"a":2}'), []],
  ["Secret: registry, null", ...config("null"), []],
  ["Secret: registry, spaces around", ...config(" {}\n"), []],
  ["Secret: registry, no JSON", ...config("hello"), noConfig],
  ["Secret: registry, empty", ...config(""), noConfig],
  ["Secret: registry, cut off", ...config('{"auths":'), noConfig],
  ["Secret: registry, more behind it", ...config("{} {}"), noConfig],
  ["Secret: registry, a list", ...config("[]"), noConfig],
  ["Secret: registry, a text", ...config('"a"'), noConfig],
  ["Secret: registry, a number", ...config("1"), noConfig],
  ["Secret: registry, a byte order mark", ...config("\uFEFF{}"), noConfig],
  [
    "Secret: registry, another key",
    ...secret("kubernetes.io/dockerconfigjson", { a: "b" }),
    ["Required data[.dockerconfigjson]"],
  ],
  ["Secret: older registry", ...older('{"a":{}}'), []],
  ["Secret: older registry, no JSON", ...older("{a}"), ["Invalid data[.dockercfg]"]],
  [
    "Secret: older registry, another key",
    ...secret("kubernetes.io/dockercfg", { a: "b" }),
    ["Required data[.dockercfg]"],
  ],
  ["Secret: SSH", ...secret("kubernetes.io/ssh-auth", { "ssh-privatekey": "no key" }), []],
  [
    "Secret: SSH, empty",
    ...secret("kubernetes.io/ssh-auth", { "ssh-privatekey": "" }),
    ["Required data[ssh-privatekey]"],
  ],
  ["Secret: SSH, another key", ...secret("kubernetes.io/ssh-auth", { a: "b" }), ["Required data[ssh-privatekey]"]],
  ["Secret: TLS, no certificates", ...secret("kubernetes.io/tls", { "tls.crt": "a", "tls.key": "" }), []],
  ["Secret: TLS, no key", ...secret("kubernetes.io/tls", { "tls.crt": "a" }), ["Required data[tls.key]"]],
  ["Secret: basic, a name", ...secret("kubernetes.io/basic-auth", { username: "" }), []],
  ["Secret: basic, a password", ...secret("kubernetes.io/basic-auth", { password: "p" }), []],
  [
    "Secret: basic, neither",
    ...secret("kubernetes.io/basic-auth", { user: "a" }),
    ["Required data[username]", "Required data[password]"],
  ],
  ["Secret: token of an account", ...secret("kubernetes.io/service-account-token", {}, owned({ [account]: "a" })), []],
  [
    "Secret: token of no account",
    ...secret("kubernetes.io/service-account-token", {}, owned({ [account]: "" })),
    [`Required metadata.annotations[${account}]`],
  ],
  ["Secret: bootstrap token of anything", ...secret("bootstrap.kubernetes.io/token", { "token-id": "NO" }), []],
  ["Secret: a type of one's own", ...secret("example.com/a", { ".dockerconfigjson": "no" }), []],
];
