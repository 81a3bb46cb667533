/** Beginnings of documents, and the types that cloud-init takes them for; longer beginnings first. */
const beginnings = [
  ["#cloud-config-archive", "text/cloud-config-archive"],
  ["#cloud-config-jsonp", "text/cloud-config-jsonp"],
  ["## template: jinja", "text/jinja2"],
  ["#cloud-boothook", "text/cloud-boothook"],
  ["#include-once", "text/x-include-once-url"],
  ["#part-handler", "text/part-handler"],
  ["#cloud-config", "text/cloud-config"],
  ["#include", "text/x-include-url"],
  ["#!", "text/x-shellscript"],
] as const;

/** The type that a text shows, without regard to case and to space before it; `undefined`: none. */
export const typeOfBeginning = (text: string): string | undefined => {
  // A byte order mark is no space there.
  const start = text
    .slice(0, 1024)
    .replace(/^[ \t\r\n\f\v\u0085\u00A0]+/, "")
    .toLowerCase();
  return beginnings.find(([beginning]) => start.startsWith(beginning))?.[1];
};

/** Types of parts whose text says what they are. */
export const isSaidByText = (type: string): boolean =>
  ["text/plain", "text/x-not-multipart", "text/x-shellscript"].includes(type);

export const isCompressed = (type: string): boolean =>
  /^application\/(?:x-)?(?:gzip(?:-compressed|ped)?|gunzip|compress(?:ed)?)$/.test(type);
