import type { Data } from "@capstan/kit/bootstrap";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { k3s, registryFiles, renderNodeDocument, rke2, type Role } from "../src/render.ts";
import { nodeInput } from "./node-input.ts";

const bytes = (data: Readonly<Record<string, string>>): Data =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text)]));

const server = {
  secretsEncryption: { provider: "secretbox", encryptionKeySecret: { name: "key" } },
  etcd: { backupConfig: { s3: { endpoint: "s3.example", enforceSslVerify: true } } },
};

const references = new Map<string, Data>([
  ["server.auditPolicySecret", bytes({ "audit-policy.yaml": "rules: []\n" })],
  ["server.cloudProviderConfigMap", bytes({ "cloud-config": "{{ not a template }}" })],
  ["server.etcd.backupConfig.s3.s3CredentialSecret", bytes({ aws_access_key_id: "id\n", aws_secret_access_key: "no" })],
  ["server.etcd.backupConfig.s3.endpointCAsecret", bytes({ "ca.pem": "s3 authority\n" })],
  ["server.secretsEncryption.encryptionKeySecret", bytes({ encryptionKey: "0123" })],
  [
    "server.externalDatastoreSecret",
    bytes({ endpoint: "postgres://db", "ca.pem": "a\n", "cert.pem": "c\n", "key.pem": "k\n" }),
  ],
  ["agent.resolvConf", bytes({ "resolv.conf": "nameserver 10.0.0.1\n" })],
  [
    "agent.imageCredentialProviderConfigMap",
    bytes({ "credential-config.yaml": "x: 1\n", "credential-provider-binaries": "/opt/bin" }),
  ],
]);

const render = (role: Role, of: ReadonlyMap<string, Data>, agent: object = {}) => {
  const source = { server, agent: agent as Readonly<Record<string, unknown>> };
  const text = renderNodeDocument(rke2, nodeInput(role, { version: "v1.35.4+rke2r1", references: of, source }));
  const { write_files: files } = parse(text, { version: "1.1" }) as {
    readonly write_files: readonly {
      readonly path: string;
      readonly permissions: string;
      readonly content: string;
      readonly encoding?: string;
    }[];
  };
  const config = parse(files.at(-1)?.content ?? "") as Readonly<Record<string, unknown>>;
  return { files, config, at: (path: string) => files.find((file) => file.path === path) };
};

describe("what RKE2's references hold", () => {
  it("becomes files and settings of servers", () => {
    const { at, config } = render("join", references);
    expect(config).toMatchObject({
      "audit-policy-file": "/etc/rancher/rke2/audit-policy.yaml",
      "cloud-provider-config": "/etc/rancher/rke2/cloud-provider-config",
      "etcd-s3": true,
      "etcd-s3-access-key": "id",
      "etcd-s3-secret-key": "no",
      "etcd-s3-endpoint": "s3.example",
      "etcd-s3-endpoint-ca": "/etc/rancher/rke2/etcd-s3-ca.crt",
      "secrets-encryption-provider": "secretbox",
      "datastore-endpoint": "postgres://db",
      "datastore-cafile": "/etc/rancher/rke2/datastore-ca.crt",
      "datastore-certfile": "/etc/rancher/rke2/datastore-cert.crt",
      "datastore-keyfile": "/etc/rancher/rke2/datastore-key.crt",
      "resolv-conf": "/etc/rancher/rke2/resolv.conf",
      "image-credential-provider-config": "/etc/rancher/rke2/credential-config.yaml",
      "image-credential-provider-bin-dir": "/opt/bin",
    });
    expect(config).not.toHaveProperty("etcd-s3-skip-ssl-verify");
    const cloud = at("/etc/rancher/rke2/cloud-provider-config");
    expect(cloud).toMatchObject({ encoding: "base64", permissions: "0644" });
    expect(Buffer.from(cloud?.content ?? "", "base64").toString()).toBe("{{ not a template }}");
    const encryption = at("/var/lib/rancher/rke2/server/cred/encryption-config.json");
    expect(encryption?.permissions).toBe("0400");
    expect(JSON.parse(encryption?.content ?? "")).toEqual({
      kind: "EncryptionConfiguration",
      apiVersion: "apiserver.config.k8s.io/v1",
      resources: [
        {
          resources: ["secrets"],
          providers: [{ secretbox: { keys: [{ name: "enckey", secret: "MDEyMw==" }] } }, { identity: {} }],
        },
      ],
    });
  });

  it("reaches agents where it is theirs", () => {
    const { config } = render("agent", references);
    expect(Object.keys(config).toSorted()).toEqual([
      "cloud-provider-config",
      "image-credential-provider-bin-dir",
      "image-credential-provider-config",
      "resolv-conf",
      "token",
    ]);
  });

  it("follows the data directory, as the authorities do", () => {
    const { at } = render("init", references, { dataDir: "/data/rke2/" });
    expect(at("/data/rke2/server/cred/encryption-config.json")).toBeDefined();
    expect(at("/data/rke2/server/tls/etcd/peer-ca.key")).toMatchObject({ permissions: "0600" });
  });

  it("is refused when a part is missing", () => {
    const of = (data: Readonly<Record<string, string>>) => new Map([["server.externalDatastoreSecret", bytes(data)]]);
    expect(() => render("join", of({ "ca.pem": "a" }))).toThrow(
      expect.objectContaining({ code: "bootstrap.content_missing", message: expect.stringContaining("endpoint") }),
    );
    expect(() => render("join", of({ endpoint: "x", "cert.pem": "c" }))).toThrow(
      expect.objectContaining({
        code: "distribution.reference_incomplete",
        message: expect.stringContaining("key.pem"),
      }),
    );
  });

  it("knows profiles by the version", () => {
    expect(() => render("agent", new Map(), { cisProfile: "cis-1.6" })).toThrow(
      expect.objectContaining({
        code: "distribution.profile_unsupported",
        message: expect.stringMatching(/cis-1\.6 does not exist .* use cis$/),
      }),
    );
  });
});

it("k3s with a database of its own begins no etcd, and has no proxy to it", () => {
  const source = { server: { externalDatastoreSecret: { name: "database" } } };
  const parts = { version: "v1.35.4+k3s1", source };
  const filesOf = (of: ReadonlyMap<string, Data>) =>
    (
      parse(renderNodeDocument(k3s, nodeInput("init", { ...parts, references: of }))) as {
        readonly write_files: readonly { readonly path: string; readonly content: string }[];
      }
    ).write_files;
  const database = new Map([["server.externalDatastoreSecret", bytes({ endpoint: "postgres://db", "ca.pem": "a\n" })]]);
  const files = filesOf(database);
  expect(parse(files.at(-1)?.content ?? "")).toMatchObject({
    "datastore-endpoint": "postgres://db",
    "datastore-cafile": "/etc/rancher/k3s/datastore-ca.crt",
  });
  expect(files.at(-1)?.content).not.toContain("cluster-init");
  expect(files.map(({ path }) => path)).not.toContain("/var/lib/rancher/k3s/server/manifests/etcd-proxy.yaml");
  const without = filesOf(new Map());
  expect(without.at(-1)?.content).toContain("cluster-init: true");
  expect(without.map(({ path }) => path)).toContain("/var/lib/rancher/k3s/server/manifests/etcd-proxy.yaml");
});

describe("registries", () => {
  const file = (files: readonly { readonly path: string; readonly content?: string }[], path: string) =>
    files.find((each) => each.path === path);

  it("keep credentials and certificates of their own", () => {
    const files = registryFiles(
      {
        mirrors: { "docker.io": { endpoint: ["https://a.example"], rewrite: { "^(.*)$": "x/$1" } } },
        configs: {
          "a.example": { authSecret: { name: "a" } },
          "b.example:5000": {
            authSecret: { name: "b" },
            tls: { tlsConfigSecret: { name: "t" }, insecureSkipVerify: true },
          },
        },
      },
      new Map([
        ["a.example", { auth: bytes({ username: "u", password: "p" }) }],
        [
          "b.example:5000",
          { auth: bytes({ "identity-token": "t" }), tls: bytes({ "tls.key": "k\n", "ca.crt": "c\n" }) },
        ],
      ]),
      "/etc/rancher/rke2",
    );
    const folder = "/etc/rancher/rke2/tls/b.example_5000";
    expect(parse(file(files, "/etc/rancher/rke2/registries.yaml")?.content ?? "")).toEqual({
      mirrors: { "docker.io": { endpoint: ["https://a.example"], rewrite: { "^(.*)$": "x/$1" } } },
      configs: {
        "a.example": { auth: { username: "u", password: "p" } },
        "b.example:5000": {
          auth: { identity_token: "t" },
          tls: { ca_file: `${folder}/ca.crt`, key_file: `${folder}/tls.key`, insecure_skip_verify: true },
        },
      },
    });
    expect(file(files, `${folder}/tls.key`)).toMatchObject({ permissions: "0600", content: "k\n" });
  });

  it("take the text of a basic authentication, and nothing as a template", () => {
    const configs = { "a.example": { authSecret: { name: "a" } }, "b.example": { authSecret: { name: "b" } } };
    const secrets = new Map([
      ["a.example", { auth: bytes({ auth: "dTpw" }) }],
      ["b.example", { auth: bytes({ username: "u", password: "{{ p }}" }) }],
    ]);
    const [registries] = registryFiles({ configs }, secrets, "/x");
    expect(registries?.encoding).toBe("base64");
    expect(parse(Buffer.from(registries?.content ?? "", "base64").toString())).toMatchObject({
      configs: { "a.example": { auth: { auth: "dTpw" } }, "b.example": { auth: { password: "{{ p }}" } } },
    });
  });

  it("are refused without credentials in their Secret", () => {
    const configs = { "a.example": { authSecret: { name: "a" } } };
    const secrets = new Map([["a.example", { auth: bytes({ user: "u" }) }]]);
    expect(() => registryFiles({ configs }, secrets, "/x")).toThrow(
      /configs\.a\.example\.authSecret: .*identity-token/,
    );
  });
});

describe("user data of the user's", () => {
  const sections = (agent: object) =>
    parse(
      renderNodeDocument(rke2, nodeInput("agent", { version: "v1.35.4+rke2r1", source: { agent: { ...agent } } })),
    ) as Readonly<Record<string, unknown>>;

  it("is added, but for the sections of the provider", () => {
    const config = "users: [ops]\nruncmd: [x]\nwrite_files: []\n";
    const added = sections({ additionalUserData: { config }, ntp: { servers: ["a.example"] } });
    expect(added).toMatchObject({ users: ["ops"], ntp: { enabled: true, servers: ["a.example"] } });
    expect(added["runcmd"]).toHaveLength(1);
    expect(sections({ additionalUserData: { data: { zram: "{size: 1G}", locale: "de" } } })).toMatchObject({
      zram: { size: "1G" },
      locale: "de",
    });
  });

  it("has no time servers where they are switched off", () => {
    expect(sections({ ntp: { enabled: false, servers: ["a"] } })).not.toHaveProperty("ntp");
  });
});
