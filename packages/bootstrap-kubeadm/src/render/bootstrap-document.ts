import { bootstrapSentinel } from "@capstan/contract";
import { cloudConfig, yamlText } from "@capstan/kit/userdata";
import type { Json } from "./kubeadm-documents.ts";
import { diskSetup, filesystems, ntp, userFiles, users, type FileEntry } from "./sections.ts";

/** What one machine's document is made of; the parts are resolved, nothing is read from anywhere. */
export interface BootstrapDocument {
  /** KubeadmConfig spec, for commands, users, disks, time servers, mounts and verbosity. */
  readonly spec: Json;
  /** Contents resolved. */
  readonly files: readonly Json[];
  readonly users: readonly Json[];
  readonly certificateFiles?: readonly FileEntry[];
  readonly discoveryFile?: FileEntry;
  readonly kubeadm:
    | { readonly command: "init"; readonly clusterConfiguration: Json; readonly initConfiguration: Json }
    | { readonly command: "join"; readonly joinConfiguration: Json; readonly controlPlane: boolean };
}

const rootFile = (path: string, content: string): FileEntry => ({
  path,
  owner: "root:root",
  permissions: "0640",
  content,
});

const initPath = "/run/kubeadm/kubeadm.yaml";
const joinPath = "/run/kubeadm/kubeadm-join-config.yaml";

const kubeadmFile = (kubeadm: BootstrapDocument["kubeadm"]): FileEntry => {
  if (kubeadm.command === "init") {
    const [cluster, init] = [yamlText(kubeadm.clusterConfiguration), yamlText(kubeadm.initConfiguration)];
    return rootFile(initPath, `---\n${cluster}\n---\n${init}`);
  }
  const join = yamlText(kubeadm.joinConfiguration);
  return rootFile(joinPath, kubeadm.controlPlane ? join : `---\n${join}`);
};

const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as readonly string[]) : []);

/** kubeadm and the success sentinel stay one command: without `set -e` a later item would run after a failure. */
const kubeadmCommand = (document: BootstrapDocument): string => {
  const path = document.kubeadm.command === "init" ? initPath : joinPath;
  const verbosity = document.spec["verbosity"];
  const flag = typeof verbosity === "number" ? `--v ${verbosity}` : "";
  return `kubeadm ${document.kubeadm.command} --config ${path} ${flag} && echo success > ${bootstrapSentinel}`;
};

/** The directory of the sentinel must exist: writing a file into it is the one way that works on every system. */
const placeholder = rootFile(
  `${bootstrapSentinel.slice(0, bootstrapSentinel.lastIndexOf("/"))}/placeholder`,
  "keeps the directory of the success sentinel",
);

/**
 * Files end in exactly one newline and have no carriage returns, as with upstream's provider; an empty one stays empty.
 */
const withFinalNewline = (file: FileEntry): FileEntry => {
  const text = file.content?.replaceAll("\r\n", "\n").replace(/\n+$/, "");
  return text === undefined || text === "" ? file : { ...file, content: `${text}\n` };
};

/** The cloud-config of a machine that runs `kubeadm init` or `kubeadm join`. */
export const renderBootstrapDocument = (document: BootstrapDocument): string => {
  const { spec } = document;
  return cloudConfig({
    jinja: true,
    sections: {
      write_files: [
        ...(document.certificateFiles ?? []),
        ...userFiles(document.files),
        ...(document.discoveryFile === undefined ? [] : [document.discoveryFile]),
        kubeadmFile(document.kubeadm),
        placeholder,
      ].map(withFinalNewline),
      bootcmd: strings(spec["bootCommands"]),
      runcmd: [
        ...strings(spec["preKubeadmCommands"]),
        kubeadmCommand(document),
        ...strings(spec["postKubeadmCommands"]),
      ],
      ntp: ntp(spec["ntp"]),
      users: users(document.users),
      disk_setup: diskSetup(spec["diskSetup"]),
      fs_setup: filesystems(spec["diskSetup"]),
      mounts: spec["mounts"],
    },
  });
};
