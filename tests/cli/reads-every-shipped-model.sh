# Shipped weights load, whatever their configuration names that is gone.
for model in "$DATA"/../../models/*.safetensors; do
    "$DIFFLNS" info "$model" >description
    echo "$(basename "$model") $(grep -c '"trajectory"' description)"
done
