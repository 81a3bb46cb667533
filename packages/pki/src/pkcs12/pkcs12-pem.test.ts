import { X509Certificate } from "node:crypto";
import { expect, it } from "vitest";
import { readBer } from "../asn1/ber.ts";
import { pkcs12Pem } from "./pkcs12-pem.ts";

// One key and its certificate, each written by openssl in another way: with today's defaults, as older programs do, and in the open.
const today =
  "MIIEFgIBAzCCA9AGCSqGSIb3DQEHAaCCA8EEggO9MIIDuTCCAnEGCSqGSIb3DQEHBqCCAmIwggJeAgEAMIICVwYJKoZIhvcNAQcBMFYGCSqGSIb3DQEFDTBJMCgGCSqGSI" +
  "b3DQEFDDAbBAi/SiZChZlq6wIBATAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQKxeDNOZLoFYHsWnyDkJ3GICCAfA471yKFTo62acJU7cVjkNR5V5yGO2ZSzldreP2" +
  "wA0Hit7LS8SWLQXVP9Pfnz3PAMKCL89l0TnGLncCh5qoMfdb+phjBZPmfy+jGImXzbXpMbv++rZga+sfK/Sy7dbb+ikHXkN8PToPx0H6iLB7jbUj95aeeCfBmvniKeUCnj" +
  "gqeq6pWisSCsWKNB5FJacuUmIkC06DoQeLj/x97FgUBFD0v87kYPfM8kTv6SfOjcV/lDd3AqwAQtJJXwNL2RUFeXD+ZpWPWDZAr6kej0Y8UQtWwNyKRCK9PjVNErKu0ti3" +
  "f4E5o6/JHzf5OlqDzxrcVM5DVi+ndfT442+bEjHdLQrw4IeTqgoXfq8jxYP6mrYPMLoVkI/1LWAWJ/fT51RqFTI0RogLTp7yYEXv8g3mJW7OXktwmzzle+yzI+qYMApiSZ" +
  "BLd6GF050LF8FpffjKi6MU4kiHyTxqj7J1dar0MgvZxtJw51cwvTVgT0gJFQZVqv5m8LqQH3iHuYUHTMTH4T9ckWGk6pHrE3sDMIzsLMj4Gi63bvhc9Eh4braqhGbgC/Wa" +
  "KRnwnawrZs4oWorBQ+JDMzbf0rzL26/Yn+JQdlDWTo2AH3czVy9lyAJRVQubuOdFJXh4uDKWgdNnY5Kdpkx1I5ZBtgYH6cdUWGpPdhiNMIIBQAYJKoZIhvcNAQcBoIIBMQ" +
  "SCAS0wggEpMIIBJQYLKoZIhvcNAQwKAQKgge4wgeswVgYJKoZIhvcNAQUNMEkwKAYJKoZIhvcNAQUMMBsECJWnuQX60W2+AgEBMAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUD" +
  "BAEqBBBVPDnUihRQaAMDef6kYUJkBIGQfUN0ND7awx2p4glnjg7RbGRmgIiRPtjngRaw8nZ2A6/dzkfNtFbCAfSicqQisQpbW7B3g/bBuB2fJkqB/WXSGEPUOLok9hV34e" +
  "zpbaZENhZAtBjTfzfnntpOoV08RZjcfYybbdL7kHpm/Lrm8l4qqRRHdpOQx8v3ASJJRr/vXcprtlQelgyJMV4VPR9qGjKjMSUwIwYJKoZIhvcNAQkVMRYEFNURKPeMig1W" +
  "5Fl1C3aoc+Z+sS15MD0wMTANBglghkgBZQMEAgEFAAQg0qfAU0Fy05t4aM0673tevxFtgU4hHdSaY6VgtUigyIIECCKmkJc4LNOC";

const older =
  "MIIDhAIBAzCCA04GCSqGSIb3DQEHAaCCAz8EggM7MIIDNzCCAi4GCSqGSIb3DQEHBqCCAh8wggIbAgEAMIICFAYJKoZIhvcNAQcBMBsGCiqGSIb3DQEMAQMwDQQIzSfBKT" +
  "KbX2sCAQGAggHonfABcSozL9NOgE450ed+dXGRtXX/HvZ2KsOu5kcou1GPsM5lGyCtx7L7UhLqVApDIM3ia6yWv2P+QncbtOLODycapdjWdTJg+Si4t12h1hpSoQ9sNT6M" +
  "RG/5SI+rTUf5pVJ5XdgSmwgr+gBLmvFGSRxFJ8QpupOH/KPHRkAjO014r0kT8ltbqyGxMsLlJLLMou+iwvO3pW/PDJcXuy143d2LdtRIVcoYnBo6pKsvNemG+x9VKp1VIa" +
  "pzJU6XsorUTjDUHsd6pyghTsysty5O8ZiZ7RU53LYCaU58LxEBht3pQgPeTQBQ0F+mNWA4Iv4W/9WFK97LGTVmy3pE8zm7QtFJkVH3c92VT08tVokwjeNYglqMFE9JE5ej" +
  "AkPhEZ95x07a3USwi5BDLS6KuQVnucko9Dns1bd16kP7pFQJVdy4VUb8+5d7pdULda63tk+zgZNNTb2iC6f0Uv2WKyshJ9WA6FP/Nd64z+lK2nC+wYaWAE7Oc6Ug18OvlF" +
  "j6UMRwUA6BJsdkXVfBk+J7EJAcPTQfCDnXFPBxNldsYX4kHl4HkvgpYXdUCRZ3Kc2DxbPXZRkvZBbbJafU/oPLZsRV0vYB6tsrxuEZhYnH/n10x7NMSYUwzRsnJKmrIqPD" +
  "PGbrnhsIlB8MC0AwggEBBgkqhkiG9w0BBwGggfMEgfAwge0wgeoGCyqGSIb3DQEMCgECoIGzMIGwMBsGCiqGSIb3DQEMAQMwDQQIjHf+tqkXcqYCAQEEgZCeXmn50zOqvJ" +
  "z+we3V0EHEUge1NK7QGTbt3LUj2RaOHxrlTkbiN7qUkKwKis2p8hVoE/QqBpThjCusoW5k70t5djnrkPjzVHMQ9K5gnwKiSeEq9MV4feQ+fbsJYgb6vFndogJRpineo2hP" +
  "NcLLLiXPHx2tUx9gbVeXlg5woDHu3GSJidvB4y1lINDxG9zWAmExJTAjBgkqhkiG9w0BCRUxFgQU1REo94yKDVbkWXULdqhz5n6xLXkwLTAhMAkGBSsOAwIaBQAEFAwlOC" +
  "S6JcajP/Jecms1ohqsEA9YBAghfH5tulefXg==";

const open =
  "MIIDMQIBAzCCAusGCSqGSIb3DQEHAaCCAtwEggLYMIIC1DCCAfUGCSqGSIb3DQEHAaCCAeYEggHiMIIB3jCCAdoGCyqGSIb3DQEMCgEDoIIBojCCAZ4GCiqGSIb3DQEJFg" +
  "GgggGOBIIBijCCAYYwggEroAMCAQICFGh780wq7LAPQypTwVmMcEWGnU1LMAoGCCqGSM49BAMCMBcxFTATBgNVBAMMDGNhcHN0YW4tdGVzdDAgFw0yNjExMjMwOTAzNTVa" +
  "GA8yMTI2MTAzMDA5MDM1NVowFzEVMBMGA1UEAwwMY2Fwc3Rhbi10ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEGA/NC6KHScTtgYKr7Wzz/bGEdLwep+QqhurJTW" +
  "x+rJLmTHw0lmU9LQy4rqGUrDVYU9+Fv1NLKobVJexh7QEGqaNTMFEwHQYDVR0OBBYEFMlVhQQ4t65t3mpN+ZLrP4WjwqFRMB8GA1UdIwQYMBaAFMlVhQQ4t65t3mpN+ZLr" +
  "P4WjwqFRMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhANDatmh1HIKbmYli8BwGQPWBIlG24fDT56sWqneffKIrAiEA710+WQxh+/j4otmgAFRdpcPJnu" +
  "rTCdVC+apqczYYXtUxJTAjBgkqhkiG9w0BCRUxFgQU1REo94yKDVbkWXULdqhz5n6xLXkwgdgGCSqGSIb3DQEHAaCBygSBxzCBxDCBwQYLKoZIhvcNAQwKAQGggYowgYcC" +
  "AQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEbTBrAgEBBCDm76LEbZ+0gTjaU1JBr5CGshJfn7f+5jx+nXmnBSD8FqFEA0IABBgPzQuih0nE7YGCq+1s8/2xhHS8HqfkKobqyU" +
  "1sfqyS5kx8NJZlPS0MuK6hlKw1WFPfhb9TSyqG1SXsYe0BBqkxJTAjBgkqhkiG9w0BCRUxFgQU1REo94yKDVbkWXULdqhz5n6xLXkwPTAxMA0GCWCGSAFlAwQCAQUABCBY" +
  "dPsVKto1c3IYOa7KUNbx8+jEskR93VCIIOQmhv+jxwQI1h40v+skAjU=";

const weak =
  "MIIDhAIBAzCCA04GCSqGSIb3DQEHAaCCAz8EggM7MIIDNzCCAi4GCSqGSIb3DQEHBqCCAh8wggIbAgEAMIICFAYJKoZIhvcNAQcBMBsGCiqGSIb3DQEMAQYwDQQIRWMlnx" +
  "jeqzcCAQGAggHo5wKuv7MHUURj3DsfbqU6WuY7Kb0Kvmrmrl9aEKrkejlw3kSeJN3KxFboM3BNtgDquMMFnui1UKDC/NBrqb8YMqceUnNrnqSsQo3IeyVdzzz1vjWVoMWB" +
  "Bvh4iJmdkpKO5Gl/MJUnvad7dQt9LhMZ6a5WfZqyTtvIDmW71AZfwf691i02/1xj7V50Ati8YKfp3lvfpYRNSCEAz4xrcb0f9j1Ziotc68yX10kY3oAn2Uiypv0tOQXWQ+" +
  "BmhbltyNZsH577VdUfiDDqRAS1kkC5rWg1z4T0c+270i/Wakc1ua177Tz/ThBKHFBorPXxvTqs0Tn9y48DC5rauOVp0sqipqqcvvYM911uuU1CLWAO5yr3kKdmFXtGYH+C" +
  "EzYS6+Q5l5AMm5OgMb2j6Ke1BALTRGFHE7fRIUvEfgKNKTX1a/xEKyKPggyQdUoxsHfwGnGusF9S0R5rZP2q8YNFB3R1jRsu4NEnS3Q1cd8Fq4uzOcEOhJZwUqOmhc5NVe" +
  "b4JdbjelnvgZLMZTidmchWQNO5nXYT71faKcWBuufTjqd2Ekwx1zM8CmmBpKNZFfLTobeciH5p1XCc5RlhKHHky2dUYD376UN5vw2XL1x3GYvLaL+4s/WUvaTkUp06SUCj" +
  "2AiP+s9a/k8m950wggEBBgkqhkiG9w0BBwGggfMEgfAwge0wgeoGCyqGSIb3DQEMCgECoIGzMIGwMBsGCiqGSIb3DQEMAQMwDQQISPDmNaigesICAQEEgZAw3e35dC0MZN" +
  "i9orr+KJPL4/VuuaafgqpPhVvH8lgCf4Kves31tSLEsqJQ0i8D+c/ba/jMJ/8ASs8IEWGEubxZO8Vwb7GEw9MICV3Cjh18rX95VPDbWJduAfKrDdxHYmPy3TR8TDUdQc5+" +
  "OtlUSwGMBRtUuuyiIyYcJaqP41ZmDsFrFLSYamzD12W2i9a4bu8xJTAjBgkqhkiG9w0BCRUxFgQU1REo94yKDVbkWXULdqhz5n6xLXkwLTAhMAkGBSsOAwIaBQAEFLqRpJ" +
  "lvapgh2abV7H+N6Pu1oI6mBAjZWl0fcsku0g==";

const locked =
  "MIIEFgIBAzCCA9AGCSqGSIb3DQEHAaCCA8EEggO9MIIDuTCCAnEGCSqGSIb3DQEHBqCCAmIwggJeAgEAMIICVwYJKoZIhvcNAQcBMFYGCSqGSIb3DQEFDTBJMCgGCSqGSI" +
  "b3DQEFDDAbBAhUePoCUohojQIBATAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQglQlGtvBu5JhNcfL7HqjV4CCAfCYFdV8Vsm84vayrc7cqljEVyOcXo0WgKn8+vw9" +
  "0uUzi8wUoshxIHeD3H8E0Gi+PFRiDplupvy3dg1b3z35NGm1cHEHAaOMvZS0cQRWhl0sTSAgNMp/ZepgM/27XPOd3A2XJ3hTrp6eg5lwXna6IP516vUoEqwSaX3GTBpIVC" +
  "bof0ZlJ1Pyw6tPHsKBJgoGOtVaXTAo3Q6qQk2KuIYnATMad0AwNT589Fzbqz3fDwmXFJWvQvtVCksuaBug2SJAK6h9ovgnuaoArDxmMP/7CTqj7rfA0RZA0mrjzvjQee33" +
  "WxattN6Xc8naADwPogSFjsN3Ffw4eTLXTCRvDsH6lGstqxMahLpV1GL5QkHLyFO3vTr7s4eRin6XqjX73EHmTvX/gILzibUaW+TVoiM+XwMdMZS0ga7IyeMC6aprdmoYxy" +
  "GcvyiPhIamahniV9kmxEJ9++tnKb77ZvUyChNqjoZgqRHqi1tqqbVBxlm887yWXhfapcKJfv0YplZ28oIRMKatl48zAwJYKisSdc3gf7J+MsOXO52kJVyY3jcTblcvwW4M" +
  "Nu2Gv9oQ0q/a4VUn5w+96XM3UDmNk6Sy9GKcq1FzFGn8uLh8hr+GGS9RS6CZjobUe8A2EmO8KNemVPEq8pIYRZdajYwuN3pusDTQMi1IMIIBQAYJKoZIhvcNAQcBoIIBMQ" +
  "SCAS0wggEpMIIBJQYLKoZIhvcNAQwKAQKgge4wgeswVgYJKoZIhvcNAQUNMEkwKAYJKoZIhvcNAQUMMBsECI6hsCEpGgGwAgEBMAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUD" +
  "BAEqBBDKOLz7FHdEXeCDcfSbFAY1BIGQQpOmw57EpKOU7s4sEtd29qQFLg12vdZ1MbJ7l7eDW2tqs8/8n1rMNj79Hx6hdMcjnC7WBZQnd+Jyh47tQKMSw6cshf5Nxqxlwg" +
  "uMckI15aRfgMQgvpK7I7DfSQ3l228gj5GYgXW5IH+Tv2RXos9QohR72PeXsY+JTpzwCeuxc5cKnJB64Nk/B85kFwpT+ytvMSUwIwYJKoZIhvcNAQkVMRYEFNURKPeMig1W" +
  "5Fl1C3aoc+Z+sS15MD0wMTANBglghkgBZQMEAgEFAAQgHbW8rBkW93aE5KXPYCLQ2r/C/QSj0aJH+KOkCNMih94ECA7fLyLtaEbl";

const keyless =
  "MIICogIBAzCCAlwGCSqGSIb3DQEHAaCCAk0EggJJMIICRTCCAkEGCSqGSIb3DQEHBqCCAjIwggIuAgEAMIICJwYJKoZIhvcNAQcBMFYGCSqGSIb3DQEFDTBJMCgGCSqGSI" +
  "b3DQEFDDAbBAiqmC89/ZzIbQIBATAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQ+QHbr2O+N+uxoWEgIVDlc4CCAcBiDVhW+PO3RESQeNqbiw5NkeM5Kjdzgx1GoS0S" +
  "FF4UPh3UVMn0vS9mfFkUhqgYwRnS6JJoiH7muBiDRT0NOQJoOMb8gJepa3lH7+Aj3G+4V8RSuCNWPxHla2tRN+ZzLweMfyMpOOmGWzenbqrb5VN9n96N/hTByfbOlIwwIo" +
  "Cs0C9pk+LGny162QV3za7TvbNpZYD2jor6dNiwEqZJwTc9r445Rm+923MOPhBfwCFZIPkW377iXzbl2F1612ADs4fGGrmXFaPU8W9HEVsRAOxAjToehYLyfIZ+d+52QgtI" +
  "IVzVhcsbJIMLHkiFMxo8Zob8f8jAIbfqrl8uAvXHHRIb4k/pu29RywqD9phE8D1jCEXBNRLfPjVoQwz6NpLnipg/ApehXqtNKk6df9mNq+gTmo+AFpZgBJY64LcdiMuztl" +
  "hylBOHJUY0vo/8ysmj6qDJLmBkbX7hruDr2E+kVz1b1rLiMqRyMCf+WO/Vu94FN9vx8QqUJoef//jg5jGiGCwMGYVI4ZBvx9UaC2nJS+RtJyO0l1w+SqJ5V4cVT3SfTOYv" +
  "agyf0Pbu4MBCBSxJJwtE1mCPnNbFiqeN71Sl4yf/MD0wMTANBglghkgBZQMEAgEFAAQgO396MrYceVUMvfJlhOM6flP3k2OmVWycnyJVfILhdJMECLRROYffgXpv";

const pemOf = (base64: string): string => pkcs12Pem(Buffer.from(base64, "base64"));

it.each([
  ["AES", today],
  ["triple DES", older],
  ["nothing", open],
])("reads key and certificate of a file that is encrypted with %s", (_, file) => {
  const pem = pemOf(file);
  expect(pem.match(/-----BEGIN [A-Z ]+-----/g)).toEqual(["-----BEGIN PRIVATE KEY-----", "-----BEGIN CERTIFICATE-----"]);
  expect(new X509Certificate(pem.slice(pem.indexOf("-----BEGIN CERTIFICATE"))).subject).toBe("CN=capstan-test");
  expect(pem).toBe(pemOf(open));
});

it.each([
  ["with a password", locked, "cannot be read: .*write it anew"],
  ["encrypted with RC2", weak, "encrypted with RC2, which is not safe; write it anew"],
  ["without a key", keyless, "has no private key"],
  ["that is none", Buffer.from("no file").toString("base64"), "cannot be read"],
  ["that is cut off", today.slice(0, 400), "cannot be read"],
])("refuses a file %s", (_, file, words) => {
  expect(() => pemOf(file)).toThrow(new RegExp(words));
  expect(() => pemOf(file)).toThrow(expect.objectContaining({ code: "pki.bad_key" }) as Error);
});

it("reads strings that are cut into pieces, and values whose length is not said", () => {
  const value = readBer(Buffer.from("308024800402616204016300000201050000", "hex"));
  expect(value.parts.map(({ bytes }) => bytes.toString("hex"))).toEqual(["616263", "05"]);
});
