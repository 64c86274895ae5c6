for verb in slove solv chekc views trian inf banch sole s conert xyz generat-something; do
    "$DIFFLNS" $verb || true
done
