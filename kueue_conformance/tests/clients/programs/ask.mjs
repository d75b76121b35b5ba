// Asks one server three times: GET, POST, GET, with the fetch of Node.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
process.removeAllListeners('warning');
const url = process.argv[2];
const post = { method: 'POST', body: '{"a": 1}', headers: { 'Content-Type': 'application/json' } };
for (const options of [{}, post, {}]) {
  const response = await fetch(url, options);
  await response.text();
  console.log(response.status);
}
