import { bootstrapSentinel } from "@capstan/contract";
import type { BootstrapData } from "@capstan/contract/v1";
import { bootstrapFormats } from "@capstan/contract/wire";
import { gzip, isGzip, unpacked } from "../delivery/gzip.ts";
import { type DocumentPart, documentType, multipart } from "../userdata/multipart.ts";
import type { BootstrapReport, PreparedData, ReportChannel, ReportPlace } from "./bootstrap-report.ts";

/** First word of a report, with its version. */
const reportName = "capstan-bootstrap-report/v1";

/** Heading of the log in the report. */
const logBytes = 16_384;

/** A larger report was not written by a machine. */
export const maxReportBytes = 65_536;

const file = "/run/capstan/bootstrap-report";

/** Between single quotes nothing has a meaning to the shell; a quote itself is none of a URL's characters but by its code. */
const quoted = (text: string): string => `'${text.replaceAll("'", "%27")}'`;

/**
 * The last script of a first boot: says whether the sentinel is there, adds the end of cloud-init's log, and PUTs both to a signed URL. It
 * uses no more of the shell than every image and the guest model have.
 */
export const reportScript = (target: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}): string => {
  const headers = Object.entries(target.headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`);
  const patience = "--retry 8 --retry-connrefused --connect-timeout 10 --max-time 60";
  return `#!/bin/sh
# Reports once how bootstrapping ended, with the end of the log.
umask 077
mkdir -p /run/capstan
test -e ${bootstrapSentinel} && echo '${reportName} succeeded' >${file} || echo '${reportName} failed' >${file}
tail -c ${logBytes} /var/log/cloud-init-output.log >>${file}
curl --silent --show-error --fail ${patience} --upload-file ${file} ${headers.join(" ")} ${quoted(target.url)} || echo 'the bootstrap report could not be uploaded'
`;
};

/** Returns the report that a machine uploaded; `undefined` if it is not a report. */
export const readReport = (bytes: Uint8Array): BootstrapReport | undefined => {
  const text = Buffer.from(bytes).toString("utf8");
  const end = text.indexOf("\n");
  const [name, result] = text.slice(0, end < 0 ? text.length : end).split(" ");
  if (name !== reportName) return undefined;
  if (result === "succeeded") return { state: "succeeded" };
  return result === "failed" ? { state: "failed", log: end < 0 ? "" : text.slice(end + 1) } : undefined;
};

/** Installers are downloaded silently; with this, curl still says why that failed, and the log has it. */
const talkingCurl: DocumentPart = {
  name: "bootstrap-report-curl",
  merge: "list(append)+dict(no_replace,recurse_list)+str()",
  content: "#cloud-config\nwrite_files:\n- path: /root/.curlrc\n  append: true\n  content: |\n    show-error\n",
};

const prepare = async ({ bytes, format }: BootstrapData, { upload }: ReportPlace): Promise<PreparedData> => {
  if (upload === undefined) return { unavailable: "the cluster has no object store for it" };
  if (format !== bootstrapFormats.cloudConfig) return { unavailable: `the format ${format} does not support it` };
  const content = Buffer.from(unpacked(bytes) ?? bytes).toString("utf8");
  if (documentType(content) === undefined) {
    return { unavailable: "the bootstrap data is not a cloud-init document that can be extended" };
  }
  // Scripts run in the order of their file names, after the commands of cloud-configs, which are a script named `runcmd`.
  const script = { name: "bootstrap-report", fileName: "zz-bootstrap-report", content: reportScript(await upload()) };
  const whole = Buffer.from(multipart([{ name: "bootstrap-data", content }, talkingCurl, script]), "utf8");
  return { bytes: isGzip(bytes) ? gzip(whole) : whole };
};

/** The report that a part of the cloud-init document uploads to the object store of the cluster. */
export const uploadedReport = (): ReportChannel<{ readonly uploaded: () => Promise<Uint8Array | undefined> }> => ({
  name: "upload",
  prepare,
  read: async ({ uploaded }) => {
    const bytes = await uploaded();
    return bytes === undefined ? undefined : readReport(bytes);
  },
});
