import { generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { signatureAnnotation, signaturePayloadType, signatureTag } from "../../src/elemental/bundle/signature.ts";
import { type BundlePart, LayoutBuilder } from "@capstan/sim-metal";
import { registryService } from "@capstan/sim-metal";

/** What a bundle of tests has for a platform. */
export const part = (script: string, more: Partial<BundlePart> = {}): BundlePart => ({
  architecture: "amd64",
  ...more,
  files: { "install.sh": { content: `#!/bin/sh\n${script}\n`, mode: 0o755 }, ...more.files },
});

/** A registry over real HTTP. */
export interface BundleRegistry {
  readonly layout: LayoutBuilder;
  readonly host: string;
  readonly paths: string[];
  /** Answers with it in place of what is there. */
  readonly tampered: Map<string, Uint8Array>;
  stop(): Promise<void>;
}

export const startRegistry = async (): Promise<BundleRegistry> => {
  const layout = new LayoutBuilder();
  const service = registryService(layout);
  const paths: string[] = [];
  const tampered = new Map<string, Uint8Array>();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    paths.push(path);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const asked = { method: request.method ?? "GET", path, query: "", headers, body: new Uint8Array() };
    void service.answer({ ...asked, serverUrl: "", client: "" }).then(({ body, headers: sent, status }) => {
      const digest = path.split("/").at(-1) ?? "";
      response.writeHead(status, sent).end(tampered.get(digest) ?? body);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    layout,
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    tampered,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

/** Signs a bundle as cosign does; answers with the PEM of the public key. */
export const signBundle = (
  layout: LayoutBuilder,
  {
    digest,
    repository,
    type = "ec",
  }: { readonly digest: string; readonly repository: string; readonly type?: "ec" | "ed25519" },
): string => {
  const { privateKey, publicKey } =
    type === "ec" ? generateKeyPairSync("ec", { namedCurve: "prime256v1" }) : generateKeyPairSync("ed25519");
  const payload = Buffer.from(
    JSON.stringify({
      critical: {
        identity: { "docker-reference": "" },
        image: { "docker-manifest-digest": digest },
        type: "cosign container image signature",
      },
      optional: null,
    }),
  );
  const signature = sign(type === "ec" ? "sha256" : null, payload, privateKey).toString("base64");
  const layer = { ...layout.put(signaturePayloadType, payload), annotations: { [signatureAnnotation]: signature } };
  layout.addManifest({ repository, tag: signatureTag(digest) }, [layer]);
  return publicKey.export({ format: "pem", type: "spki" }).toString();
};
