// What undici has for HTTP/2, which loads it of Node when a server speaks it, and not before.
module.exports = (...args) => require("undici/lib/dispatcher/client-h2.js")(...args);
