import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { run } from "./run.ts";

/** Source of a container image. */
export interface ImageSource {
  /** Its full name, with registry and tag. */
  readonly name: string;
  /** The program of the image, on this host. */
  readonly program: string;
}

const authorities = "etc/ssl/certs/ca-certificates.crt";
const library = /(\/\S+) \(0x/g;
const iptables = ["iptables", "iptables-save", "iptables-restore"].flatMap((name) => [name, name.replace("ip", "ip6")]);
const proxyTools = ["/usr/sbin/xtables-nft-multi", "/usr/sbin/conntrack", "/bin/dash", "/bin/sed", "/bin/kmod"];

/** `registry/path/name:tag`: the name. */
export const programOf = (image: string): string => basename(image).split(":")[0] ?? "";

/** Copies a program with the libraries that it asks for, those of the root. */
const addProgram = async (layer: string, base: string, source: string, path: string): Promise<void> => {
  await mkdir(dirname(join(layer, path)), { recursive: true });
  await cp(source, join(layer, path), { dereference: true });
  const probe = join(base, "tmp", `probe-${process.pid}`);
  await cp(source, probe, { dereference: true });
  const libraries = await run("chroot", [base, "ldd", `/tmp/${basename(probe)}`]).catch(() => "");
  await rm(probe);
  for (const [, file = ""] of libraries.matchAll(library)) {
    await mkdir(dirname(join(layer, file)), { recursive: true });
    await cp(join(base, file), join(layer, file), { dereference: true });
  }
};

/** It calls iptables, and starts by a wrapper. */
const addProxyTools = async (layer: string, base: string, wrapper: string): Promise<void> => {
  for (const tool of proxyTools) await addProgram(layer, base, join(base, tool), tool);
  await cp(join(base, "usr/lib/x86_64-linux-gnu/xtables"), join(layer, "usr/lib/x86_64-linux-gnu/xtables"), {
    recursive: true,
    // Some are links to others beside them.
    verbatimSymlinks: true,
  });
  for (const name of iptables) await symlink("xtables-nft-multi", join(layer, "usr/sbin", name));
  await symlink("dash", join(layer, "bin/sh"));
  await symlink("/bin/kmod", join(layer, "usr/sbin/modprobe"));
  await cp(wrapper, join(layer, "usr/local/bin/kube-proxy"));
  await chmod(join(layer, "usr/local/bin/kube-proxy"), 0o755);
};

const digestOf = async (file: string): Promise<string> => {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
};

const entrypoint = (program: string): readonly string[] | undefined => {
  if (program === "pause") return ["/pause"];
  return program === "coredns" ? ["/usr/local/bin/coredns"] : undefined;
};

interface ImageOptions {
  /** The root that libraries are taken from. */
  readonly base: string;
  readonly scratch: string;
  /** Path of the wrapper that starts kube-proxy. */
  readonly proxyWrapper: string;
}

/** The files of an image. */
const writeLayer = async (layer: string, source: ImageSource, { base, proxyWrapper }: ImageOptions): Promise<void> => {
  const program = programOf(source.name);
  await mkdir(join(layer, "tmp"), { recursive: true });
  if (program === "pause") return cp(source.program, join(layer, "pause"));
  const path = program === "kube-proxy" ? "usr/local/bin/kube-proxy.real" : `usr/local/bin/${program}`;
  await addProgram(layer, base, source.program, path);
  await mkdir(join(layer, "etc/ssl/certs"), { recursive: true });
  await cp(join(base, authorities), join(layer, authorities), { dereference: true });
  if (program === "kube-proxy") await addProxyTools(layer, base, proxyWrapper);
};

const configOf = (program: string, digest: string): string => {
  const start = entrypoint(program);
  return JSON.stringify({
    architecture: "amd64",
    os: "linux",
    created: "2026-01-01T00:00:00Z",
    config: {
      Env: ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
      ...(start !== undefined && { Entrypoint: start }),
    },
    rootfs: { type: "layers", diff_ids: [`sha256:${digest}`] },
  });
};

/** Writes images of one layer each as an archive that `ctr images import` takes. */
export const writeImages = async (
  images: readonly ImageSource[],
  output: string,
  options: ImageOptions,
): Promise<void> => {
  const archive = join(options.scratch, "archive");
  await mkdir(archive, { recursive: true });
  const manifest: object[] = [];
  for (const image of images) {
    // Two releases of one program may be among them.
    const entry = basename(image.name).replace(":", "-");
    const layer = join(options.scratch, "layer");
    await writeLayer(layer, image, options);
    const tar = join(archive, `${entry}.tar`);
    await run("tar", ["--owner=0", "--group=0", "--mtime=@0", "--sort=name", "-C", layer, "-cf", tar, "."]);
    await rm(layer, { recursive: true });
    await writeFile(join(archive, `${entry}.json`), configOf(programOf(image.name), await digestOf(tar)));
    manifest.push({ Config: `${entry}.json`, RepoTags: [image.name], Layers: [`${entry}.tar`] });
  }
  await writeFile(join(archive, "manifest.json"), JSON.stringify(manifest));
  await run("tar", ["-C", archive, "-cf", output, "."]);
  await rm(archive, { recursive: true });
};
