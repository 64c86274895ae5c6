/* A page of `view` shows the plans it carries. */
begin(JSON.parse(byId("data").textContent));
playOrSeek();
